import { describe, expect, it } from "vitest";
import { createMetrics } from "./metrics.js";

const away = () => Promise.reject(new Error("the store is unavailable"));

describe("createMetrics", () => {
  it("shows what was reported, by bounded labels, beside what Node says of itself", async () => {
    const metrics = createMetrics();
    metrics.observeHttp({ method: "GET", route: "/operations/:id", status: 200, waited: false, seconds: 0.02 });
    metrics.observeHttp({ method: "GET", route: "/operations/:id", status: 200, waited: true, seconds: 20 });
    metrics.observeRpc({ service: "S", method: "M", code: "ok", waited: false, seconds: 0.02 });
    metrics.observeJobAge({ queue: "q", seconds: 100 });
    metrics.observeJob({ queue: "q", outcome: "done", seconds: 1000 });
    metrics.countUploadBytes(7);
    metrics.observeJob({ queue: "q", outcome: "retry", seconds: 1 });
    metrics.countLeaseLoss("q");
    metrics.countJobCreated("report");
    metrics.countJobEnded({ kind: "report", status: "done" });
    metrics.countRequestShed("busy");
    const { body, contentType } = await metrics.render();
    expect(contentType).toContain("text/plain");
    const lines = body.split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        'hourglass_http_request_duration_seconds_count{method="GET",route="/operations/:id",status="200",waited="false"} 1',
        'hourglass_http_request_duration_seconds_sum{method="GET",route="/operations/:id",status="200",waited="true"} 20',
        'hourglass_rpc_duration_seconds_bucket{le="0.025",service="S",method="M",code="ok",waited="false"} 1',
        'hourglass_job_age_seconds_bucket{le="300",queue="q"} 1',
        'hourglass_job_duration_seconds_bucket{le="900",queue="q",outcome="done"} 0',
        'hourglass_job_duration_seconds_bucket{le="1800",queue="q",outcome="done"} 1',
        "hourglass_upload_bytes_total 7",
        'hourglass_job_attempts_total{queue="q",outcome="retry"} 1',
        'hourglass_lease_losses_total{queue="q"} 1',
        'hourglass_jobs_created_total{kind="report"} 1',
        'hourglass_jobs_ended_total{kind="report",status="done"} 1',
        'hourglass_requests_shed_total{reason="busy"} 1',
      ]),
    );
    expect(body).toContain("nodejs_eventloop_lag_seconds");
  });

  it("adds up a duration that several parts declare, and refuses other labels for its name", async () => {
    const metrics = createMetrics();
    for (const seconds of [0.5, 1]) {
      const observe = metrics.duration("hourglass_print_seconds", "Time to print", ["paper"]);
      observe({ paper: "a4" }, seconds);
    }
    const { body } = await metrics.render();
    expect(body).toContain('\nhourglass_print_seconds_sum{paper="a4"} 1.5\n');
    expect(body).toContain('\nhourglass_print_seconds_bucket{le="0.5",paper="a4"} 1\n');
    expect(() => metrics.duration("hourglass_print_seconds", "Time to print", ["ink"])).toThrow(/other labels/);
  });

  it("reads gauges at each scrape, one by one or by label, from several places", async () => {
    const metrics = createMetrics();
    let depth = 1;
    metrics.gauge("depth", "Depth", () => Promise.resolve(depth));
    const of = (queue: string, value: number) => () => Promise.resolve([{ labels: { queue }, value }]);
    metrics.gauge("depths", "Depths", of("a", 1), ["queue"]);
    metrics.gauge("depths", "Depths", of("b", 2), ["queue"]);
    await metrics.render();
    depth = 2;
    const { body } = await metrics.render();
    expect(body).toContain("\ndepth 2\n");
    expect(body).toContain('\ndepths{queue="a"} 1\ndepths{queue="b"} 2\n');
    expect(() => metrics.gauge("depths", "Depths", away)).toThrow(/other labels/);
  });

  it("answers without what cannot be read, and keeps no value of it from before", async () => {
    const metrics = createMetrics();
    let read: () => Promise<number> = () => Promise.resolve(7);
    metrics.gauge("single", "A number", () => read());
    metrics.gauge("many", "Numbers", async () => [{ labels: { status: "ready" }, value: await read() }], ["status"]);
    metrics.gauge("other", "A number", () => Promise.resolve(1));
    expect((await metrics.render()).body).toContain('many{status="ready"} 7');
    read = away;
    const { body } = await metrics.render();
    expect(body).toContain("\nsingle Nan\n");
    expect(body).not.toContain("many{");
    expect(body).toContain("\nother 1\n");
  });

  it("reads once for scrapes that come together", async () => {
    const metrics = createMetrics();
    let reads = 0;
    const finish: (() => void)[] = [];
    metrics.gauge("slow", "Slow", async () => {
      reads += 1;
      await new Promise<void>((resolve) => finish.push(resolve));
      return reads;
    });
    const scrapes = [metrics.render(), metrics.render()];
    for (const resolve of finish) resolve();
    for (const { body } of await Promise.all(scrapes)) expect(body).toContain("\nslow 1\n");
    expect(reads).toBe(1);
  });
});
