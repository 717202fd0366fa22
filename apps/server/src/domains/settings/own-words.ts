import { setOwnAreas, setOwnEntries } from '@zhugong/contract/settings/dictionaries'
import type { Db, Tx } from '#kit/db'
import { listenTo } from '#kit/listen'
import type { Log } from '#kit/log'

/** What groups have added to dictionaries and divisions, known by name to the whole process whoever asks. */
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

/** Reads them again whenever another process has changed them. */
export function followOwnWords(db: Db, databaseUrl: string, name: string, log: Pick<Log, 'warn'>): { stop(): Promise<void> } {
  return listenTo(databaseUrl, name, ['zg_words'], () => {
    loadOwnWords(db).catch((error: unknown) => log.warn({ err: error }, 'own entries of dictionaries'))
  })
}
