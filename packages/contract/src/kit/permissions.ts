/**
 * A module's permission codes. Endpoint, button and menu use the same code, so that they cannot diverge. `types` are the group types that
 * can have it (0 platform, 1 government, 2 corporation, 3 project).
 */
export interface Permission {
  readonly code: string
  readonly name: string
  readonly types: readonly number[]
  /** Marked in the role editor: gives access to unmasked personal data or secrets, or allows irreversible actions. */
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
