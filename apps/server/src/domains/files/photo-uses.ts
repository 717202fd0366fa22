import type { Fence } from '@zhugong/contract/organisation/fence'
import { formatInstant } from '#kit/clock'
import type { Disclosed } from '#kit/columns'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { metresOutside } from '#kit/fence'

/** Where photographs are used as evidence. */
interface Use extends Pick<Disclosed, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'> {
  /** For messages, for example 整改单. */
  kind: string
  objectId: string
  /** `before`, or `after N` in round N. The same picture in another stage is a contradiction, in the same stage it is not. */
  stage: string
  files: readonly string[]
  /** What a photograph shows cannot have been there before. */
  notBefore?: Date | undefined
}

/** Positions of phones among high buildings are this far off. */
const farFromM = 500

/** Records photographs as evidence, replacing those of the same files in this stage, and finds what contradicts them. */
export async function usePhotos(ctx: Context, use: Use): Promise<void> {
  const { kind, objectId, stage, projectCode, corpCode, shownAt, groups, notBefore } = use
  if (use.files.length === 0) return
  const files = await ctx.db
    .selectFrom('storedFile')
    .select(['id', 'sha256', 'takenAt', 'lng', 'lat'])
    .where('id', 'in', [...use.files])
    .execute()
  const site = await ctx.db.selectFrom('project').select('areaRule').where('projectCode', '=', projectCode).executeTakeFirst()
  await ctx.db
    .deleteFrom('photoUse')
    .where('objectId', '=', objectId)
    .where('stage', '=', stage)
    .where('fileId', 'in', [...use.files])
    .execute()
  for (const { id: fileId, sha256, takenAt, lng, lat } of files) {
    const off = lng !== null && lat !== null ? metresOutside(site?.areaRule as Fence | null, { lng, lat }) : null
    // The picture may stand in a record of another company, which the caller does not see.
    const other = await ctx.system
      .selectFrom('photoUse')
      .select(['kind', 'at', 'projectCode'])
      .where('sha256', '=', sha256)
      .where((eb) => eb.or([eb('objectId', '<>', objectId), eb('stage', '<>', stage)]))
      .orderBy('at')
      .limit(1)
      .executeTakeFirst()
    await ctx.db
      .insertInto('photoUse')
      .values({
        id: ctx.newId(),
        sha256,
        fileId,
        kind,
        objectId,
        stage,
        projectCode,
        corpCode,
        shownAt,
        groups,
        early: takenAt !== null && notBefore !== undefined && takenAt < notBefore,
        farM: off !== null && off > farFromM ? off : null,
        reusedKind: other?.kind ?? null,
        reusedAt: other?.at ?? null,
        reusedHere: other ? other.projectCode === projectCode : null,
        takenAt,
        at: new Date(ctx.clock.now()),
      })
      .execute()
  }
}

/** Discloses the photographs of an object together with it. */
export async function showPhotoUses(ctx: Pick<Context, 'db'>, objectId: string, shownAt: Date): Promise<void> {
  await ctx.db.updateTable('photoUse').set({ shownAt }).where('objectId', '=', objectId).where('shownAt', 'is', null).execute()
}

/** Forgets photographs that were taken out of a draft: in this stage of the object only `kept` are used. */
export async function dropPhotoUses(ctx: Pick<Context, 'db'>, objectId: string, stage: string, kept: readonly string[]): Promise<void> {
  await ctx.db
    .deleteFrom('photoUse')
    .where('objectId', '=', objectId)
    .where('stage', '=', stage)
    .where(({ not, eb }) => (kept.length ? not(eb('fileId', 'in', [...kept])) : eb.val(true)))
    .execute()
}

/** Contradictions of the photographs of an object in words, by stage and file id. Photographs without any are left out. */
export async function photoNotesOf(ctx: Pick<Context, 'db'>, objectId: string): Promise<Map<string, string>> {
  const rows = await ctx.db.selectFrom('photoUse').selectAll().where('objectId', '=', objectId).orderBy('at').execute()
  const notes = new Map<string, string>()
  for (const row of rows) {
    const words = wordsOf(row)
    if (words) notes.set(`${row.stage} ${row.fileId}`, words)
  }
  return notes
}

const day = (at: Date) => formatInstant(at).slice(0, 16)

function wordsOf({ early, takenAt, farM, reusedKind, reusedAt, reusedHere }: Row<'photoUse'>): string {
  return [
    early && takenAt ? `拍摄于 ${day(takenAt)}，早于检查` : '',
    farM === null ? '' : `拍摄位置在围栏外 ${farM < 1_000 ? `${farM} 米` : `${(farM / 1_000).toFixed(1)} 公里`}`,
    reusedKind && reusedAt ? `该照片已在${reusedHere ? '本项目' : '其他项目'}的${reusedKind}使用（${day(reusedAt).slice(0, 10)}）` : '',
  ]
    .filter(Boolean)
    .join('；')
}
