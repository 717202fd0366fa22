import { setOwnAreas, setOwnEntries } from '@zhugong/contract/settings/dictionaries'
import type { Db, Tx } from '#kit/db'
import { listenTo } from '#kit/listen'
import type { Log } from '#kit/log'

/** Loads the dictionary entries and divisions of all groups, so that the process can resolve their names. */
export async function loadOwnWords(db: Db | Tx): Promise<void> {
  const words = await db.selectFrom('dictOwn').select(['dictionary', 'value']).execute()
  setOwnEntries(
    words.flatMap(({ dictionary, value }) =>
      (value.own ?? []).map(({ code, name, parent }) => ({ dictionary, item: { code, name, parent: parent || undefined } })),
    ),
  )
  const areas = await db.selectFrom('areaOwn').select(['code', 'name', 'off']).execute()
  setOwnAreas(
    areas.flatMap(({ code, name }) => (name ? [{ code, name }] : [])),
    areas.flatMap(({ code, off }) => (off ? [code] : [])),
  )
}

/** Reloads them when another process has changed them. */
export function followOwnWords(db: Db, databaseUrl: string, name: string, log: Pick<Log, 'warn'>): { stop(): Promise<void> } {
  return listenTo(databaseUrl, name, ['zg_words'], () => {
    loadOwnWords(db).catch((error: unknown) => log.warn({ err: error }, 'own entries of dictionaries'))
  })
}
