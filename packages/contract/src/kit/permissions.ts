/**
 * A module's permission codes. Endpoint, button and menu name the same code, so that none of the three can drift.
 * `types` are the group types that can ever hold it (0 platform, 1 government, 2 corporation, 3 project).
 */
export interface Permission {
  readonly code: string
  readonly name: string
  readonly types: readonly number[]
  /** Shown with a mark in the role editor: personal data in clear, secrets, irreversible acts. */
  readonly sensitive: boolean
}
export interface PermissionModule {
  readonly module: string
  readonly name: string
  readonly permissions: readonly Permission[]
}

type Entry = string | { name: string; types?: readonly number[]; sensitive?: true }
const everyType = [0, 1, 2, 3] as const

export function permissions(module: string, name: string, entries: Readonly<Record<string, Entry>>): PermissionModule {
  return {
    module,
    name,
    permissions: Object.entries(entries).map(([verb, entry]) => {
      const full = typeof entry === 'string' ? { name: entry } : entry
      return { code: `${module}.${verb}`, name: full.name, types: full.types ?? everyType, sensitive: full.sensitive ?? false }
    }),
  }
}
