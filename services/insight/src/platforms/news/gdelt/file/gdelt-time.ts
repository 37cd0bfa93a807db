/** A time such as `20261122121500`, of UTC, in milliseconds since the epoch; undefined if there is no such time. */
export function readGdeltTime(digits: string): number | undefined {
  const iso = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits)?.slice(1);
  if (iso === undefined) return undefined;
  const [year, month, day, hour, minute, second] = iso;
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const time = Date.parse(written);
  return Number.isFinite(time) && new Date(time).toISOString() === written ? time : undefined;
}
