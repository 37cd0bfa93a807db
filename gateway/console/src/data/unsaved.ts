/** The forms on the page that hold something that is not saved: leaving it asks, and a sign-out elsewhere keeps it. */
export const unsaved = new Set<object>();
