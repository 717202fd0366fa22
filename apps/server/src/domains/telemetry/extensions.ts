import { commands } from './commands.ts'
import { enteredReadings } from './entered.ts'
import { gates } from './gates/extension.ts'
import { hj212 } from './hj212/extension.ts'
import type { Extension } from './ingest/extension.ts'
import { fiveMinuteValues } from './ingest/five-minutes.ts'
import { livePush } from './ingest/live.ts'
import { notesBeside } from './ingest/notes.ts'
import { presenceWatch } from './ingest/presence.ts'
import { ruleClock } from './ingest/rules.ts'
import { jt808 } from './jt808/extension.ts'
import { meters } from './meters/extension.ts'
import { mqtt } from './mqtt/extension.ts'
import { openApi } from './open-api/extension.ts'

/**
 * The parts of the ingest. Order matters: `committed` is called in this order, and a part that opens a listener comes after the parts it
 * uses. If two calls of the local socket match a path, the first one replies.
 */
export const extensions: readonly Extension[] = [
  livePush,
  fiveMinuteValues,
  notesBeside,
  presenceWatch,
  ruleClock,
  commands,
  enteredReadings,
  gates,
  openApi,
  mqtt,
  hj212,
  meters,
  jt808,
]
