import { ageOn, birthdayOfIdCard, birthPlaceOfIdCard, genderOfIdCard, maskIdCard, maskPhone } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { residentId } from '@zhugong/contract/personnel/codes'
import { type ConsentInput, signedByHand } from '@zhugong/contract/personnel/identity-model'
import type { Registration, WorkerUpdate } from '@zhugong/contract/personnel/registration-model'
import { consentVersion } from '@zhugong/contract/personnel/rules'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { pick } from '#kit/pick'
import { keptFiles } from '../files/public.ts'
import type { Newcomer } from '../labour/public.ts'
import { duplicate } from './look-up.ts'

export const tooYoung = () => new AppError('invalidInput', '开始从业时未满 16 周岁', { field: 'workDate' })

interface Identity {
  name: string
  idCardType: string
  idCardNumber: string
  gender: string | null
  birthday: string | null
}

/** For a resident identity card, gender, birthday and native place are derived from its number. */
export function identityColumns(ctx: Pick<Context, 'secrets'>, p: Identity) {
  const resident = p.idCardType === residentId
  return {
    name: p.name,
    idCardType: p.idCardType,
    idCardNumber: ctx.secrets.seal(p.idCardNumber) as Buffer,
    idCardHash: ctx.secrets.blindIndex('id-card', p.idCardNumber),
    idCardMask: maskIdCard(p.idCardNumber),
    gender: (resident ? genderOfIdCard(p.idCardNumber) : p.gender) ?? '9',
    birthday: (resident ? birthdayOfIdCard(p.idCardNumber) : p.birthday) ?? '1900-01-01',
    birthPlaceCode: resident ? birthPlaceOfIdCard(p.idCardNumber) : null,
  }
}

const pictures = ['headImage', 'positiveIdCardImage', 'negativeIdCardImage', 'facePhoto'] as const

/** The other columns of a file. On an edit, omitted encrypted fields keep their value. */
export async function fileColumns(ctx: Context, p: Omit<WorkerUpdate, 'version'> | Registration, before?: Row<'worker'>) {
  const consents = p.consents ? await stampedConsents(ctx, p.consents, before?.consents ?? []) : undefined
  const face = (consents ?? before?.consents ?? []).find((c) => c.kind === 'face')
  if (p.facePhoto && face?.state !== '同意') throw new AppError('refused', '本人未同意人脸采集，不能保存现场照片', { field: 'facePhoto' })
  const kept: Partial<Record<(typeof pictures)[number], string | null>> = {}
  for (const name of pictures) {
    const id = p[name]
    kept[name] = id ? ((await keptFiles(ctx, [id], [before?.[name]]))[0] ?? null) : (before?.[name] ?? null)
  }
  // Without consent the photo is removed at once (entities.md 14; the original file within 30 days by the file cleanup).
  if (face && face.state !== '同意') kept.facePhoto = null
  return {
    ...kept,
    ...pick(
      p,
      'nation',
      'grantOrg',
      'startDate',
      'expiryDate',
      'politics',
      'cultureLevel',
      'degree',
      'maritalStatus',
      'isJoined',
      'joinedTime',
      'specialty',
      'workTypeCode',
      'workCorpName',
      'workDate',
      'skillLevel',
      'urgentLinkMan',
      'hasBadMedicalHistory',
    ),
    address: p.address ? ctx.secrets.seal(p.address) : undefined,
    ...(p.cellPhone
      ? {
          cellPhone: ctx.secrets.seal(p.cellPhone),
          cellPhoneHash: ctx.secrets.blindIndex('phone', p.cellPhone),
          cellPhoneMask: maskPhone(p.cellPhone),
        }
      : {}),
    ...(p.urgentLinkManPhone
      ? { urgentLinkManPhone: ctx.secrets.seal(p.urgentLinkManPhone), urgentLinkManPhoneMask: maskPhone(p.urgentLinkManPhone) }
      : {}),
    consents: consents ? JSON.stringify(consents) : undefined,
  }
}

/** A consent without its signature file. */
export const answerOf = ({ kind, state, version, way, time }: Row<'worker'>['consents'][number]) => ({
  kind,
  state,
  version,
  way,
  time: time ?? '',
})

/** Merges consents, one per purpose; a changed answer gets the time of the change. Throws if a signature on screen is missing. */
export async function stampedConsents(ctx: Context, given: readonly ConsentInput[], before: Row<'worker'>['consents']) {
  const now = formatInstant(ctx.clock.now())
  const merged = new Map(before.map((c) => [c.kind, c]))
  for (const c of given) {
    const old = merged.get(c.kind)
    const signed = c.way === signedByHand && c.state === '同意'
    const file = signed ? (c.file ?? null) : null
    // An unchanged consent is kept, whether or not the form sends its signature again.
    if (old?.state === c.state && old.way === c.way && (!file || file === old.file)) continue
    if (signed && !file) throw new AppError('invalidInput', '请本人在签名板上签名', { field: 'consents' })
    await keptFiles(ctx, file ? [file] : [], [], 'consents')
    // The form may send the time of the previous answer, which must not become the time of this one.
    const time = c.time && c.time !== old?.time ? c.time : now
    merged.set(c.kind, { kind: c.kind, state: c.state, version: c.version || consentVersion, way: c.way, time, file })
  }
  return [...merged.values()]
}

export async function insertWorker(ctx: Context, body: Registration): Promise<Newcomer> {
  if (body.workDate && ageOn(birthdayOf(body), body.workDate) < 16) throw tooYoung()
  const id = ctx.newId()
  const columns = {
    ...identityColumns(ctx, body),
    ...(await fileColumns(ctx, body)),
    workTypeCode: body.workTypeCode ?? body.stay?.workType ?? null,
  }
  try {
    return await ctx.db
      .insertInto('worker')
      .values({
        id,
        ...columns,
        realNameState: body.fromCard ? '1' : '0',
        ownerGroup: ctx.group.id,
        createBy: ctx.user.id,
      } as never)
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (isUniqueViolation(error)) throw await duplicate(ctx, body.idCardType, body.idCardNumber)
    throw error
  }
}

const birthdayOf = (body: Registration): string =>
  (body.idCardType === residentId ? birthdayOfIdCard(body.idCardNumber) : body.birthday) ?? '1900-01-01'
