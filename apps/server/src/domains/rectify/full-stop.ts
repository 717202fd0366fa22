import type { RectifyAction } from '@zhugong/contract/rectify/moves'
import { fullStop } from '@zhugong/contract/rectify/moves'
import type { Context } from '#kit/context'
import { writeLog } from '../process/public.ts'
import { rectifyKind } from './kind.ts'
import type { Notice } from './notice.ts'

/** What stops a project for a notice, and lets it resume. Each answers in one sentence what became of the project. */
interface FullStops {
  begin(ctx: Context, notice: Notice): Promise<string>
  end(ctx: Context, notice: Notice): Promise<string>
  /** The deadline of the notice may have changed. */
  postpone(ctx: Context, notice: Notice): Promise<void>
}
let stops: FullStops | undefined

/** The domain of stops registers itself here: it depends on this one. */
export function registerFullStops(given: FullStops): void {
  stops = given
}

const begins: readonly RectifyAction[] = ['issue']
const ends: readonly RectifyAction[] = ['recheckPass', 'revoke']
const postpones: readonly RectifyAction[] = ['decideExtend', 'recheckFail']

/** Follows an action on a 全面停工整改通知书 that begins or ends the stop of the project; its history says what came of it. */
export async function followFullStop(ctx: Context, action: RectifyAction, notice: Notice): Promise<void> {
  if (notice.noticeType !== fullStop || !stops) return
  if (postpones.includes(action)) return stops.postpone(ctx, notice)
  const step = begins.includes(action) ? 'begin' : ends.includes(action) ? 'end' : undefined
  if (!step) return
  const opinion = await stops[step](ctx, notice)
  await writeLog(ctx, rectifyKind.kind, notice, {
    action: step === 'begin' ? 'stop' : 'resume',
    from: notice.state,
    to: notice.state,
    opinion,
  })
}
