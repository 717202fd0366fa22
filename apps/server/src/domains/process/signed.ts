import { maskPhone } from '@zhugong/contract/kit/checks'
import type { Move } from '@zhugong/contract/kit/process'
import type { SignatureRow } from '@zhugong/contract/kit/signatures'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Drawn } from '#kit/pdf'
import type { Seat, Stated } from './kind.ts'
import { refusedRight } from './rights.ts'
import { contentHash, type Kept, keptSignatures, type Signed } from './signatures.ts'

type Moves = Readonly<Record<string, Move>>
const digestShown = 12

/** The seats of a record as its page shows them, void signatures behind the seat they were for. */
export async function signaturesOf<Row extends Stated, M extends Moves>(
  ctx: Context,
  kind: Signed<Row, M>,
  row: Row,
): Promise<SignatureRow[]> {
  const kept = await keptSignatures(ctx, kind.kind, row.id)
  return (await kind.seats(ctx, row)).flatMap((seat) => {
    const here = kept.filter((one) => one.seat === seat.seat)
    const valid = validIn(seat, here)
    const isOpen = !valid && seat.from.includes(row.state)
    const may = (right: Seat['own']) => isOpen && right !== undefined && refusedRight(ctx, kind, row, right, '') === undefined
    const rights = {
      expects: seat.expects ?? null,
      own: may(seat.own) && (seat.expects === undefined || seat.expects === ctx.user.name),
      tablet: may(seat.tablet) && seat.expects !== ctx.user.name,
      refusable: may(seat.refuses),
    }
    const past = here.filter((one) => one !== valid).map((one) => ({ ...shown(ctx, one, 'void' as const), ...nothing }))
    if (valid) return [{ ...shown(ctx, valid, valid.refused ? 'refused' : 'signed'), ...nothing }, ...past]
    return [{ ...empty(seat), ...rights }, ...past]
  })
}
const nothing = { expects: null, own: false, tablet: false, refusable: false }

const validIn = (seat: Seat, here: readonly Kept[]) => {
  const hash = contentHash(seat.content)
  return here.find((one) => one.voidAt === null && one.hash === hash)
}

function empty({ seat, role, known }: Seat) {
  const state = known ? ('named' as const) : ('waiting' as const)
  const [name, at] = known ? [known.name, formatInstant(known.at)] : [null, null]
  const none = { id: null, image: null, phone: null, place: null, byName: null, reason: null, witness: null, digest: null }
  return { ...none, seat, role, state, name, at }
}

function shown(ctx: Pick<Context, 'secrets'>, one: Kept, state: SignatureRow['state']) {
  const { id, seat, role, name, place, reason, witness, hash } = one
  const phone = ctx.secrets.open(one.phone)
  return {
    id,
    seat,
    role,
    state,
    name,
    at: formatInstant(one.at),
    image: one.image && `data:image/png;base64,${one.image.toString('base64')}`,
    phone: phone && maskPhone(phone),
    place,
    byName: one.userId === null ? one.byName : null,
    reason,
    witness,
    digest: hash.slice(0, digestShown),
  }
}

/** The seats of a record as its paper shows them: a drawing, a refusal, or a blank line. */
export async function drawnSeats<Row extends Stated>(
  ctx: Pick<Context, 'db'>,
  kind: Pick<Signed<Row, Moves>, 'kind' | 'seats'>,
  row: Row,
): Promise<(Drawn & { seat: string })[]> {
  const kept = await keptSignatures(ctx, kind.kind, row.id)
  return (await kind.seats(ctx, row)).map((seat) => {
    const valid = validIn(
      seat,
      kept.filter((one) => one.seat === seat.seat),
    )
    if (!valid) return { seat: seat.seat, role: seat.role }
    const at = formatInstant(valid.at).slice(0, 16)
    return valid.refused
      ? {
          seat: seat.seat,
          role: seat.role,
          note: `${valid.name}拒签：${valid.reason ?? ''}，见证人 ${valid.witness ?? ''}、${valid.byName}　${at}`,
        }
      : { seat: seat.seat, role: seat.role, image: valid.image ?? undefined, note: `${valid.name}　${at}` }
  })
}
