import { registerCorporationExport } from '#domains/organisation/corporations'
import { registerProjectExport } from '#domains/organisation/projects'

/** Every list that can be exported; api and jobs both know them. */
export function registerExports(): void {
  registerCorporationExport()
  registerProjectExport()
}
