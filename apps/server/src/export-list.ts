/** Every list that can be exported; api and jobs both know them. */
export function registerExports(): void {}
