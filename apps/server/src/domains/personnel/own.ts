import { AppError } from '@zhugong/contract/kit/errors'
import { consentVersion } from '@zhugong/contract/personnel/rules'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { NewRow } from '#kit/db'
import { pick } from '#kit/pick'
import { getHeldWorker } from './store.ts'

/** Adds a history entry submitted by the person it is about. */
type OwnRecord = Omit<NewRow<'workerResume'>, 'id' | 'workerId' | 'createBy'>

export async function addOwnRecord(ctx: Pick<Context, 'db' | 'newId' | 'user'>, workerId: string, record: OwnRecord): Promise<string> {
  const id = ctx.newId()
  await ctx.db
    .insertInto('workerResume')
    .values({ ...record, id, workerId, createBy: ctx.user.id })
    .execute()
  return id
}

/** Withdraws consent to face recognition: the photo is removed from the file and the gates at once; the withdrawal stays recorded. */
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
  await changeRow(ctx, 'worker', {
    key: { id: workerId },
    version: worker.version,
    noun: '人员档案',
    by: ctx.user.id,
    values: { consents: JSON.stringify([...worker.consents.filter((one) => one.kind !== 'face'), taken]), facePhoto: null },
  })
}

export interface IdPapers {
  startDate: string
  expiryDate: string
  grantOrg: string
  front: string
  back: string
}

/** Stores the data of a new ID card after an officer has checked it against the card. Throws if no group has the person in place. */
export async function renewIdPapers(
  ctx: Pick<Context, 'db' | 'scope' | 'clock' | 'user'>,
  workerId: string,
  card: IdPapers,
): Promise<void> {
  const worker = await getHeldWorker(ctx, workerId)
  await changeRow(ctx, 'worker', {
    key: { id: workerId },
    version: worker.version,
    noun: '人员档案',
    by: ctx.user.id,
    values: {
      ...pick(card, 'startDate', 'expiryDate', 'grantOrg'),
      positiveIdCardImage: card.front,
      negativeIdCardImage: card.back,
    },
  })
}

/**
 * Erases the data that no law requires to keep. Identity, stays, attendance, contracts and training records stay. Throws while the person
 * is in place anywhere.
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
  await changeRow(ctx, 'worker', {
    key: { id: workerId },
    version: worker.version,
    noun: '人员档案',
    by: ctx.user.id,
    values: {
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
    },
  })
  await ctx.db.deleteFrom('workerResume').where('workerId', '=', workerId).execute()
}
