import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import express from "express";
import { OPERATION } from "./finished-operation.js";

/** The minimal Express server with the same bodies: the baseline of every ratio of the read route. */
const app = express();
app.get("/", (_req, res) => {
  res.json({});
});
app.get("/api/v2/products/api/operations/:id", (_req, res) => {
  res.json(OPERATION);
});
app.post("/api/v2/products/api/operations", express.json(), (_req, res) => {
  res.status(201).json({ id: 1 });
});
// Answers the bodies in that folder by their names.
const folder = process.env["BODIES"] ?? "";
for (const name of folder === "" ? [] : readdirSync(folder)) {
  const text = readFileSync(path.join(folder, name), "utf8");
  app.get(`/${name}`, (_req, res) => {
    res.type("json").send(text);
  });
}
// Sends the files in that folder from the disk.
const files = process.env["FILES"] ?? "";
if (files !== "") app.use("/files", express.static(files));
app.listen(Number(process.env["PORT"]), "127.0.0.1");
