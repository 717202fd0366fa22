import { z } from 'zod'
import { type ActionRights, type Endpoint, endpoint } from './endpoint.ts'
import { filled, nullable, ofProject, phoneText, pointsTo, text } from './fields.ts'

/** A drawing as a data URL with a PNG, of at most `most` characters. */
export const pngData = (most: number) =>
  z
    .string()
    .max(most, '签名图片过大')
    .regex(/^data:image\/png;base64,[A-Za-z0-9+/=]+$/, '签名格式不正确')

/** A drawn signature of at most 32 KB, so that it fits beside the other fields of an ordinary body. */
export const drawnImage = pngData(43_712)

/** Who may fill a seat: permission code, part in the project, and whose turn it is by the words of the kind. */
export interface SeatRight extends ActionRights {
  turn: string
}

const place = nullable(text(100, '签名地点'))
const device = nullable(text(200, '设备'))

/** Fields of an action that signs while it acts, such as 签收. Without a drawing name and time are kept. */
export const signing = { signature: drawnImage.optional(), place }
/** Fields of an action by which an officer has a paper signed on his tablet, for somebody without an account. */
export const servedTo = { name: filled(50, '签收人'), phone: nullable(phoneText('联系电话', 20)), signature: drawnImage, place }
/** Fields of an action that records a refusal to sign. */
export const refusal = {
  name: filled(50, '拒签人'),
  reason: text(200, '拒签理由').min(2, '请填写拒签理由'),
  /** Another officer of the same group. */
  witness: filled(50, '见证人'),
  place,
}

/** `waiting`: nobody has signed; `named`: name and time are known, nothing is drawn; `void`: the content has changed since. */
export const signatureStates = ['waiting', 'named', 'signed', 'refused', 'void'] as const

export const signatureRow = z.object({
  /** Null for a seat that nobody has filled. */
  id: z.string().nullable(),
  seat: z.string(),
  role: z.string(),
  state: z.enum(signatureStates),
  name: z.string().nullable(),
  at: z.string().nullable(),
  /** Data URL of the drawing. */
  image: z.string().nullable(),
  /** Masked. */
  phone: z.string().nullable(),
  place: z.string().nullable(),
  /** Who held the tablet, or recorded the refusal; null when the signer used his own account. */
  byName: z.string().nullable(),
  reason: z.string().nullable(),
  witness: z.string().nullable(),
  /** First characters of the SHA-256 of the signed content. */
  digest: z.string().nullable(),
  /** The only name that can sign here; null: any. */
  expects: z.string().nullable(),
  /** The caller may sign with his account. */
  own: z.boolean(),
  /** The caller may have somebody else sign on his device. */
  tablet: z.boolean(),
  /** The caller may record a refusal. */
  refusable: z.boolean(),
})
export type SignatureRow = z.output<typeof signatureRow>

const seat = {
  /** Made on the device: a repeated request is answered as the first one. */
  id: pointsTo('signature', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
  seat: filled(32, '签名栏'),
  device,
}

const body = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('sign'),
    ...seat,
    /** Empty: the caller himself. Otherwise who signs on the caller's device. */
    name: nullable(text(50, '签名人')),
    phone: nullable(phoneText('联系电话', 20)),
    place,
    image: drawnImage,
    /** Epoch milliseconds by the device's clock; a signature drawn without network arrives later. */
    drawnAt: z.number().int().optional(),
  }),
  z.object({ action: z.literal('refuse'), ...seat, ...refusal }),
])
export type SignatureInput = z.output<typeof body>

/**
 * The call that fills one seat of a record: below the record's own address. It does not ask for the record's version, so that two tablets
 * can be signed at once.
 */
export const signatureCall = <const Path extends string, P extends z.ZodType>(given: {
  path: Path
  noun: string
  /** Every code that some seat asks for. */
  needs: readonly string[]
  params: P
}) =>
  endpoint({
    method: 'PUT',
    path: `${given.path}/:id/signature`,
    summary: `${given.noun}签名与拒签`,
    description: 'seat 为详情 signatures 中的签名栏；id 由设备生成，重复提交只记一次。',
    needs: given.needs,
    acts: 'answer',
    params: given.params,
    query: ofProject,
    body,
  })

/** Every code that some seat asks for. */
export const codesOfSeats = (...rights: readonly SeatRight[]): readonly string[] => [...new Set(rights.flatMap(({ needs }) => needs))]

/** What every signature call has in common. */
export type SignatureCall = Endpoint<
  { params: { id: string }; query: z.input<typeof ofProject>; body: z.input<typeof body> },
  { params: { id: string }; query: z.output<typeof ofProject>; body: SignatureInput },
  undefined
>
