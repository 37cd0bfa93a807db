"""A client that openapi-python-client made: `python main.py BASE_URL PICTURE`, with the password in PASSWORD."""

import os
import sys
from io import BytesIO
from pathlib import Path

from httpx import Timeout

from hourglass_client import AuthenticatedClient, Client
from hourglass_client.api.operations import (
    create_operation,
    delete_file,
    delete_operation,
    get_file,
    get_operation,
    list_files,
    list_operations,
    upload_file,
)
from hourglass_client.api.signing_in import sign_in
from hourglass_client.models import (
    AnalysisType,
    CaptionAnalysis,
    CreatedFile,
    CreatedOperation,
    Credentials,
    Error,
    File,
    FileOperation,
    FilePage,
    NewFile,
    ObjectAnalysis,
    Operation,
    OperationData,
    OperationPage,
    OperationStatus,
    SignIn,
    SimpleSentimentAnalysis,
    SimpleSentimentExplanation,
    TextOperation,
    TopicAnalysis,
    User,
)
from hourglass_client.types import File as Upload

base_url, picture = sys.argv[1:]

credentials = Credentials(email="admin@example.com", password=os.environ["PASSWORD"])
signed_in = sign_in.sync_detailed(client=Client(base_url=base_url), body=SignIn(user=credentials))
assert isinstance(signed_in.parsed, User) and signed_in.parsed.company.products[0].active
token = signed_in.headers["Authorization"].removeprefix("Bearer ")
client = AuthenticatedClient(base_url=base_url, token=token, timeout=Timeout(90))


def analyse(body: TextOperation | FileOperation) -> tuple[int, list[object]]:
    """Carries an operation on one content out; its id, and the results."""
    created = create_operation.sync(client=client, body=body)
    assert isinstance(created, CreatedOperation), created
    operation = get_operation.sync(created.id, client=client, wait=60)
    assert isinstance(operation, Operation) and operation.status == OperationStatus.DONE, operation
    assert isinstance(operation.data, OperationData)
    [content] = operation.data.contents
    return created.id, list(content.analyses)


def upload() -> int:
    file = Upload(payload=BytesIO(Path(picture).read_bytes()), file_name="picture.jpg")
    created = upload_file.sync(client=client, body=NewFile(file=file))
    assert isinstance(created, CreatedFile), created
    return created.id


texts, [sentiment, topics] = analyse(
    TextOperation(
        type_="text",
        analyses=[AnalysisType.SENTIMENT_SIMPLE, AnalysisType.TOPIC],
        contents=["I love the new museum in Lisbon!"],
        explain=True,
    )
)
assert isinstance(sentiment, SimpleSentimentAnalysis) and sentiment.data.value == "positive", sentiment
assert isinstance(sentiment.data.explanation, SimpleSentimentExplanation)
assert sentiment.data.explanation.probabilities.positive == sentiment.data.prob
assert isinstance(topics, TopicAnalysis) and "Lisbon" in [topic.value for topic in topics.data], topics

unused = upload()
file = get_file.sync(unused, client=client)
assert isinstance(file, File)
assert (file.type_, file.has_sound, file.duration, file.state) == ("jpg", False, None, "unused"), file
files = list_files.sync(client=client)
assert isinstance(files, FilePage) and unused in [listed.id for listed in files.files]
assert delete_file.sync_detailed(unused, client=client).status_code == 204

pictures, [objects, captions] = analyse(
    FileOperation(type_="file", analyses=[AnalysisType.OBJECT_ID, AnalysisType.CAPTION], contents=[upload()])
)
assert isinstance(objects, ObjectAnalysis) and isinstance(captions, CaptionAnalysis)
assert isinstance(captions.data[0].description, str)

page = list_operations.sync(client=client, limit=2)
assert isinstance(page, OperationPage) and [listed.id for listed in page.operations] == [pictures, texts], page
for operation_id in (pictures, texts):
    assert delete_operation.sync_detailed(operation_id, client=client).status_code == 204

failure = get_operation.sync(texts, client=client)
assert isinstance(failure, Error) and failure.code == "operation_not_found", failure
