import { AppError } from '@zhugong/contract/kit/errors'
import { consentVersion } from '@zhugong/contract/personnel/rules'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { NewRow } from '#kit/db'
import { getHeldWorker } from './store.ts'

/** What a person tells of himself, as the one it is about. */
type OwnRecord = Omit<NewRow<'workerResume'>, 'id' | 'workerId' | 'createBy'>

export async function addOwnRecord(ctx: Pick<Context, 'db' | 'newId' | 'user'>, workerId: string, record: OwnRecord): Promise<string> {
  const id = ctx.newId()
  await ctx.db
    .insertInto('workerResume')
    .values({ ...record, id, workerId, createBy: ctx.user.id })
    .execute()
  return id
}

/** The face goes at once, from the file and by its absence from the gates; the taking back stays on record. */
export async function withdrawFace(ctx: Pick<Context, 'db' | 'clock' | 'user'>, workerId: string): Promise<void> {
  const worker = found(
    await ctx.db.selectFrom('worker').select(['consents', 'version']).where('id', '=', workerId).forUpdate().executeTakeFirst(),
    '人员',
  )
  const taken = {
    kind: 'face',
    state: '已撤回',
    version: worker.consents.find((one) => one.kind === 'face')?.version ?? consentVersion,
    way: '手机确认',
    time: formatInstant(ctx.clock.now()),
  }
  await ctx.db
    .updateTable('worker')
    .set({
      consents: JSON.stringify([...worker.consents.filter((one) => one.kind !== 'face'), taken]),
      facePhoto: null,
      version: worker.version + 1,
      updateBy: ctx.user.id,
      updateTime: new Date(ctx.clock.now()),
    })
    .where('id', '=', workerId)
    .execute()
}

export interface IdPapers {
  startDate: string
  expiryDate: string
  grantOrg: string
  front: string
  back: string
}

/** What a new card says, once whoever has the person in place has held it against the card. Refuses where nobody has. */
export async function renewIdPapers(
  ctx: Pick<Context, 'db' | 'scope' | 'clock' | 'user'>,
  workerId: string,
  card: IdPapers,
): Promise<void> {
  const worker = await getHeldWorker(ctx, workerId)
  await ctx.db
    .updateTable('worker')
    .set({
      startDate: card.startDate,
      expiryDate: card.expiryDate,
      grantOrg: card.grantOrg,
      positiveIdCardImage: card.front,
      negativeIdCardImage: card.back,
      version: worker.version + 1,
      updateBy: ctx.user.id,
      updateTime: new Date(ctx.clock.now()),
    })
    .where('id', '=', workerId)
    .execute()
}

/**
 * Takes from a file whatever no law asks to keep. Who it was, his stays, days, contracts and trainings are not touched. Refuses as long as
 * somebody has the person in place.
 */
export async function eraseOptional(ctx: Pick<Context, 'db' | 'clock' | 'user'>, workerId: string): Promise<void> {
  const worker = found(
    await ctx.db.selectFrom('worker').select(['consents', 'version']).where('id', '=', workerId).forUpdate().executeTakeFirst(),
    '人员',
  )
  const present = await ctx.db
    .selectFrom('projectWorker')
    .select('id')
    .where('workerId', '=', workerId)
    .where('exitTime', 'is', null)
    .executeTakeFirst()
  if (present) throw new AppError('refused', '本人仍有项目在场，退场后才能删除')
  const at = formatInstant(ctx.clock.now())
  await ctx.db
    .updateTable('worker')
    .set({
      headImage: null,
      positiveIdCardImage: null,
      negativeIdCardImage: null,
      facePhoto: null,
      address: null,
      cellPhone: null,
      cellPhoneHash: null,
      cellPhoneMask: null,
      urgentLinkMan: null,
      urgentLinkManPhone: null,
      urgentLinkManPhoneMask: null,
      politics: null,
      cultureLevel: null,
      degree: null,
      maritalStatus: null,
      isJoined: null,
      joinedTime: null,
      specialty: null,
      skillLevel: null,
      hasBadMedicalHistory: null,
      health: null,
      consents: JSON.stringify(worker.consents.map((one) => ({ ...one, state: '已撤回', time: at, file: null }))),
      version: worker.version + 1,
      updateBy: ctx.user.id,
      updateTime: new Date(ctx.clock.now()),
    })
    .where('id', '=', workerId)
    .execute()
  await ctx.db.deleteFrom('workerResume').where('workerId', '=', workerId).execute()
}
