"""Insights by the generated client: a posting is imported, and read from the list, a summary and an export."""

import datetime
import json
from io import BytesIO

from hourglass_client import AuthenticatedClient
from hourglass_client.api.exports import create_export, download_export, get_export
from hourglass_client.api.insights import (
    create_insight,
    delete_insight,
    import_postings,
    list_postings,
    pause_insight,
    summarize_insight,
)
from hourglass_client.models import (
    CreatedExport,
    Export,
    ExportFormat,
    ExportStatus,
    InsightDimension,
    NewExport,
    NewInsight,
    NewInsightQuery,
    Platform,
    PostingPage,
    PostingsAccepted,
    Summary,
    SummaryInterval,
)
from hourglass_client.types import File

POSTING = {
    "platform": "reddit",
    "social_id": "t3_1",
    "post_date": "10/5/2026",
    "post_time": "08:30:00",
    "text_of_post": "I love the new museum in Lisbon!",
}
START, END = datetime.date(2026, 10, 1), datetime.date(2026, 11, 1)


def use_insights(client: AuthenticatedClient) -> None:
    """Creates an insight, imports a posting, exports it, and deletes the insight."""
    query = NewInsightQuery(
        keywords="museum", platforms=[Platform.REDDIT], dimensions=[InsightDimension.TEXTUAL]
    )
    created = create_insight.sync_detailed(client=client, body=NewInsight(query=query))
    assert created.status_code == 200, created
    insight = int(created.headers["Location"].rsplit("/", 1)[-1])

    lines = File(payload=BytesIO(json.dumps(POSTING).encode()))
    imported = import_postings.sync(insight, client=client, body=lines)
    assert isinstance(imported, PostingsAccepted) and (imported.accepted, imported.duplicates) == (1, 0), imported

    made = create_export.sync(
        client=client, body=NewExport(insight_search_ids=[insight], start_date=START, end_date=END)
    )
    assert isinstance(made, CreatedExport), made
    export = get_export.sync(made.id, client=client, wait=60)
    assert isinstance(export, Export) and export.status == ExportStatus.DONE and export.rows == 1, export
    postings = download_export.sync(made.id, client=client, format_=ExportFormat.JSON)
    assert isinstance(postings, list) and [posting.social_id for posting in postings] == ["t3_1"], postings

    page = list_postings.sync(insight, client=client)
    assert isinstance(page, PostingPage) and page.postings[0].platform == Platform.REDDIT, page
    summary = summarize_insight.sync(
        insight, client=client, start_date=START, end_date=END, interval=SummaryInterval.WEEK
    )
    assert isinstance(summary, Summary) and summary.totals.postings == 1, summary
    assert isinstance(summary.top.topics.values[0].value, str), summary.top

    assert pause_insight.sync_detailed(insight, client=client).status_code == 200
    assert delete_insight.sync_detailed(insight, client=client).status_code == 204
