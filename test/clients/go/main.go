// A client that oapi-codegen made: `client BASE_URL PICTURE`, with the password in PASSWORD.
package main

import (
	"bytes"
	"context"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"

	"example.com/hourglass/client/api"
)

var background = context.Background()

func main() {
	log.SetFlags(log.Lshortfile)
	baseURL, picture := os.Args[1], os.Args[2]
	client := signIn(baseURL)

	contents := []string{"I love the new museum in Lisbon!"}
	explain := true
	var asked api.NewOperation
	no(asked.FromTextOperation(api.TextOperation{
		Analyses: []api.AnalysisType{"sentiment-simple", "topic"},
		Contents: contents,
		Explain:  &explain,
	}))
	texts, analyses := analyse(client, asked)
	sentiment, ok := only(analyses[0].ValueByDiscriminator()).(api.SimpleSentimentAnalysis)
	expect(ok && sentiment.Data.Value == "positive", sentiment)
	expect(sentiment.Data.Explanation.Probabilities.Positive == sentiment.Data.Prob, sentiment)
	topics, ok := only(analyses[1].ValueByDiscriminator()).(api.TopicAnalysis)
	expect(ok && len(topics.Data) > 0, topics)

	unused := upload(client, picture)
	file := only(client.GetFileWithResponse(background, unused))
	expect(file.JSON200 != nil && file.JSON200.Type == "jpg" && file.JSON200.Duration == nil, file)
	expect(file.JSON200.State == "unused" && *file.JSON200.Width > 0, file)
	files := only(client.ListFilesWithResponse(background, &api.ListFilesParams{}))
	expect(files.JSON200 != nil && files.JSON200.Files[0].Id == unused, files)
	expect(only(client.DeleteFileWithResponse(background, unused)).StatusCode() == http.StatusNoContent, unused)

	var uploaded api.FileContents
	no(uploaded.FromFileIds(api.FileIds{upload(client, picture)}))
	no(asked.FromFileOperation(api.FileOperation{
		Analyses: []api.AnalysisType{"object-id", "caption"},
		Contents: uploaded,
	}))
	pictures, analyses := analyse(client, asked)
	_, ok = only(analyses[0].ValueByDiscriminator()).(api.ObjectAnalysis)
	expect(ok, "the objects are not those of an ObjectAnalysis")
	captions, ok := only(analyses[1].ValueByDiscriminator()).(api.CaptionAnalysis)
	expect(ok && captions.Data[0].Description != nil, captions)

	limit := 2
	page := only(client.ListOperationsWithResponse(background, &api.ListOperationsParams{Limit: &limit}))
	expect(page.JSON200 != nil && len(page.JSON200.Operations) == 2, page)
	for index, id := range []int64{pictures, texts} {
		expect(page.JSON200.Operations[index].Id == id, page.JSON200.Operations)
		expect(only(client.DeleteOperationWithResponse(background, id)).StatusCode() == http.StatusNoContent, id)
	}
	failure := only(client.GetOperationWithResponse(background, texts, &api.GetOperationParams{}))
	expect(failure.JSON404 != nil && failure.JSON404.Code == "operation_not_found", failure)
}

func signIn(baseURL string) *api.ClientWithResponses {
	stranger := only(api.NewClientWithResponses(baseURL))
	answer := only(stranger.SignInWithResponse(background, api.SignIn{
		User: api.Credentials{Email: "admin@example.com", Password: os.Getenv("PASSWORD")},
	}))
	expect(answer.JSON200 != nil && answer.JSON200.Company.Products[0].Active, string(answer.Body))
	token := answer.HTTPResponse.Header.Get("Authorization")
	return only(api.NewClientWithResponses(baseURL, api.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", token)
			return nil
		},
	)))
}

// Carries an operation on one content out; its id, and the results.
func analyse(client *api.ClientWithResponses, asked api.NewOperation) (int64, []api.Analysis) {
	created := only(client.CreateOperationWithResponse(background, &api.CreateOperationParams{}, asked))
	expect(created.JSON201 != nil, string(created.Body))
	wait := 60
	params := &api.GetOperationParams{Wait: &wait}
	operation := only(client.GetOperationWithResponse(background, created.JSON201.Id, params))
	expect(operation.JSON200 != nil && operation.JSON200.Status == "done", string(operation.Body))
	return created.JSON201.Id, operation.JSON200.Data.Contents[0].Analyses
}

func upload(client *api.ClientWithResponses, picture string) int64 {
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part := only(writer.CreateFormFile("file", "picture.jpg"))
	only(io.Copy(part, bytes.NewReader(only(os.ReadFile(picture)))))
	no(writer.Close())
	answer := only(client.UploadFileWithBodyWithResponse(
		background, &api.UploadFileParams{}, writer.FormDataContentType(), &form,
	))
	expect(answer.JSON201 != nil, string(answer.Body))
	return answer.JSON201.Id
}

func only[T any](value T, err error) T {
	no(err)
	return value
}

func no(err error) {
	if err != nil {
		_ = log.Output(3, err.Error())
		os.Exit(1)
	}
}

func expect(holds bool, found any) {
	if !holds {
		_ = log.Output(2, "not as expected")
		log.Fatalf("%+v", found)
	}
}
