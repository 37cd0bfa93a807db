import { getOption, toJson } from "@bufbuild/protobuf";
import { field, FieldRulesSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import * as exports from "@hourglass/proto/export/v1/export_service";
import * as insights from "@hourglass/proto/insight/v1/insight_service";
import * as operations from "@hourglass/proto/operation/v1/operation_service";
import { expect, it } from "vitest";

it("gives all metadata of requests the same limits", () => {
  const requests = [
    operations.CreateOperationRequestSchema,
    operations.ListOperationsRequestSchema,
    insights.CreateInsightRequestSchema,
    insights.CheckInsightRequestSchema,
    insights.ListInsightsRequestSchema,
    insights.InsightMetadataSchema,
    exports.CreateExportRequestSchema,
    exports.ListExportsRequestSchema,
  ];
  const fields = requests.map(({ fields: all }) => all.find(({ name }) => name === "metadata"));
  const rules = fields.map((each) => toJson(FieldRulesSchema, getOption(each!, field)));
  expect(rules[0]).toMatchObject({ map: { maxPairs: "16" } });
  expect(rules).toEqual(requests.map(() => rules[0]));
});
