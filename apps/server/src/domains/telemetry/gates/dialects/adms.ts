import { personOf } from '../../../readings/public.ts'
import type { GatePassage, GateReader, GateReply, GateRequest, Pushed } from '../passage.ts'

/** Paths of the PUSH protocol below the gate's address; older firmware adds `.aspx`. */
const called = /^\/?iclock\/(cdata|getrequest|devicecmd|ping|registry|push)(?:\.aspx)?$/i
const attendance = 'ATTLOG'
/** Verification: 0 code, 1 fingerprint, 2 and 4 card, 15 face, 200 and above palm. */
const modes: Readonly<Record<string, string>> = { 1: '6', 2: '2', 4: '2', 15: '1' }
/** Status: 0 in, 1 out, 2 out for a break, 3 back from it, 4 overtime in, 5 overtime out. */
const directions: Readonly<Record<string, '0' | '1'>> = { 0: '0', 3: '0', 4: '0', 1: '1', 2: '1', 5: '1' }
const mostLines = 1_000

const stepOf = ({ rest }: GateRequest): string | undefined => called.exec(rest)?.[1]?.toLowerCase()

/**
 * PUSH protocol of attendance terminals (ADMS). ATTLOG lines are tab separated: number, local time, status, verification, work code.
 * Everything else (operation log, pictures, polling for commands) is no passage.
 */
function read(request: GateRequest): Pushed | undefined {
  const step = stepOf(request)
  if (!step) return undefined
  if (request.method === 'GET' || step !== 'cdata' || request.query.get('table')?.toUpperCase() !== attendance)
    return { passages: [], ignored: 1 }
  const lines = request.body
    .toString('utf8')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  if (lines.length > mostLines) return undefined
  const passages = lines.flatMap((line): GatePassage[] => {
    const [number, time, status = '', verification = ''] = line.split('\t').map((cell) => cell.trim())
    const person = personOf(number)
    if (!person || !time) return []
    return [
      {
        time,
        data: {
          recordId: `${person}-${time.replace(/\D/g, '')}`,
          workerId: person,
          personType: '1',
          pass: '1',
          mode: modes[verification] ?? '1',
          direction: directions[status],
        },
        picture: undefined,
      },
    ]
  })
  return { passages, ignored: lines.length - passages.length }
}

const text = (body: string): GateReply => ({ body, contentType: 'text/plain; charset=utf-8' })

/** At its first contact a terminal asks what to send: attendance only, at once. */
function options(deviceSn: string): string {
  return [
    `GET OPTION FROM: ${deviceSn}`,
    'ATTLOGStamp=None',
    'OPERLOGStamp=9999',
    'ATTPHOTOStamp=None',
    'ErrorDelay=30',
    'Delay=10',
    'TransTimes=00:00;14:05',
    'TransInterval=1',
    'TransFlag=TransData AttLog',
    'TimeZone=8',
    'Realtime=1',
    'Encrypt=None',
  ].join('\n')
}

export const adms: GateReader = {
  read,
  reply(request, { deviceSn }) {
    const step = stepOf(request)
    if (request.method === 'GET') return text(step === 'cdata' ? options(deviceSn) : 'OK')
    const lines = request.body.toString('utf8').split(/\r?\n/).filter(Boolean).length
    // The number of lines received, so that the terminal goes on to the next ones.
    return text(step === 'cdata' ? `OK: ${lines}` : 'OK')
  },
}
