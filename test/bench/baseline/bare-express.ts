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
app.listen(Number(process.env["PORT"]), "127.0.0.1");
