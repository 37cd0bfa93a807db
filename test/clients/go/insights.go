package main

import (
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"example.com/hourglass/client/api"
)

const posting = `{"platform":"reddit","social_id":"t3_1","post_date":"10/5/2026","post_time":"08:30:00",` +
	`"text_of_post":"I love the new museum in Lisbon!"}`

// Creates an insight, imports a posting, exports it as CSV, and deletes the insight.
func useInsights(client *api.ClientWithResponses) {
	created := only(client.CreateInsightWithResponse(background, &api.CreateInsightParams{}, api.NewInsight{
		Query: api.NewInsightQuery{
			Keywords:   "museum",
			Platforms:  []api.Platform{"reddit"},
			Dimensions: []api.InsightDimension{"textual"},
		},
	}))
	expect(created.JSON200 != nil, string(created.Body))
	insight := only(strconv.ParseInt(path.Base(created.HTTPResponse.Header.Get("Location")), 10, 64))

	imported := only(client.ImportPostingsWithBodyWithResponse(
		background, insight, &api.ImportPostingsParams{}, "application/x-ndjson", strings.NewReader(posting),
	))
	expect(imported.JSON200 != nil && imported.JSON200.Accepted == 1, string(imported.Body))

	made := only(client.CreateExportWithResponse(background, &api.CreateExportParams{}, api.NewExport{
		InsightSearchIds: []int64{insight},
		StartDate:        day(2026, time.October, 1),
		EndDate:          day(2026, time.November, 1),
	}))
	expect(made.JSON201 != nil, string(made.Body))
	wait := 60
	export := only(client.GetExportWithResponse(background, made.JSON201.Id, &api.GetExportParams{Wait: &wait}))
	expect(export.JSON200 != nil && export.JSON200.Status == "done" && *export.JSON200.Rows == 1, string(export.Body))
	csv := api.ExportFormat("csv")
	file := only(client.DownloadExportWithResponse(
		background, made.JSON201.Id, &api.DownloadExportParams{Format: &csv},
	))
	expect(strings.HasPrefix(string(file.Body), "insight_search_id,social_id,"), string(file.Body))

	start, end := day(2026, time.October, 1), day(2026, time.November, 1)
	params := &api.SummarizeInsightParams{StartDate: &start, EndDate: &end}
	summary := only(client.SummarizeInsightWithResponse(background, insight, params))
	expect(summary.JSON200 != nil && summary.JSON200.Totals.Postings == 1, string(summary.Body))

	expect(only(client.DeleteInsightWithResponse(background, insight)).StatusCode() == http.StatusNoContent, insight)
}

func day(year int, month time.Month, day int) openapi_types.Date {
	return openapi_types.Date{Time: time.Date(year, month, day, 0, 0, 0, 0, time.UTC)}
}
