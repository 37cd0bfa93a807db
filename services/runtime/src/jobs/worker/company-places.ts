/** The places of a worker's lane held by each company. The worker has one place more than a company may hold. */
export class CompanyPlaces {
  private readonly held = new Map<number, number>();

  constructor(private readonly perCompany: number) {}

  /** Takes a place for a company; false if it holds all its permitted places. */
  take(companyId: number): boolean {
    const held = this.held.get(companyId) ?? 0;
    if (held >= this.perCompany) return false;
    this.held.set(companyId, held + 1);
    return true;
  }

  giveBack(companyId: number): void {
    const left = (this.held.get(companyId) ?? 0) - 1;
    if (left > 0) this.held.set(companyId, left);
    else this.held.delete(companyId);
  }
}
