import { randomBytes } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'
import { dayMs } from '@zhugong/contract/kit/time'
import type { Ids, Request } from './inputs.ts'

const uploadBytes = 10 * 1024 * 1024 - 2_000
const longPeriodDays = 31

/** Requests that cannot be derived from schemas: rehearsals over the maximum period, commands that no device answers, exports, uploads. */
export function byHand(ids: Ids, now: number): Request[] {
  const project = ids.get('project')?.[0] ?? ''
  const devices = ids.get('device') ?? []
  return [
    ...rehearsals(devices, now),
    ...attendanceRehearsals(now),
    json('POST', '/api/v1/attendance/setting/trial', { projectCode: project, workStart: '09:00', workEnd: '17:00' }),
    ...devices.map((id) => json('POST', `/api/v1/iot/device/${id}/command`, { cmd: 'time.sync', params: {} }, 'POST command')),
    ...exports.map((feature) => json('POST', '/api/v1/export', { feature, query: {} }, `POST /api/v1/export ${feature}`)),
    ...uploads(),
    json('POST', '/api/v1/sys/ui/tree/init', {}),
    json('POST', '/api/v1/sys/dict/code', { dictCodes: Array.from({ length: 200 }, (_, i) => String(i)) }),
    json('POST', '/api/v1/iot/device/verify', frames()),
  ]
}

const exports = [
  'projectWorker',
  'worker',
  'attendanceDaily',
  'attendanceMonthly',
  'attendanceRecord',
  'device',
  'alarm',
  'project',
  'team',
]

function json(method: string, path: string, body: unknown, name = `${method} ${path}`): Request {
  return { name, method, path, body: () => JSON.stringify(body), contentType: 'application/json' }
}

const rehearse = '/api/v1/iot/rule/trigger/rehearse'

function rehearsals(devices: readonly string[], now: number): Request[] {
  const trigger = (family: string, metric: string, windowSeconds: number) => ({
    family,
    levels: [1, 2, 3, 4].map((level) => ({
      level,
      condition: { type: 'threshold', metric, op: '>=', value: level, agg: 'avg', windowSeconds: windowSeconds / 4 },
    })),
  })
  const stored = { deviceIds: devices.slice(0, 50), from: now - longPeriodDays * dayMs, to: now }
  const samples = Array.from({ length: 18_000 }, (_, i) => ({ time: now - dayMs + i * 1_000, data: { pm10: i % 200 } }))
  return [
    ...[60, 3_600, 80_000].flatMap((seconds) => [
      json('POST', rehearse, { trigger: trigger('environment', 'pm10', seconds), samples: stored }, `POST ${rehearse} (stored)`),
      json('POST', rehearse, { trigger: trigger('towerCrane', 'momentPercent', seconds), samples: stored }, `POST ${rehearse} (stored)`),
      json('POST', rehearse, { trigger: trigger('environment', 'pm10', seconds), samples }, `POST ${rehearse} (given)`),
    ]),
  ]
}

function attendanceRehearsals(now: number): Request[] {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  const events = Array.from({ length: 12_000 }, (_, i) => ({
    id: `e${i}`,
    time: `${day(now - ((i * 30) / 1_440) * 60_000 - 300 * dayMs)} ${String(i % 24).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}:00`,
    direction: String(1 + (i % 2)),
    type: '1',
  }))
  const worker = { workerId: 'w', rows: [{ entryTime: day(now - 365 * dayMs) }] }
  const body = { worker, events, from: day(now - 365 * dayMs), to: day(now), now: `${day(now)} 12:00:00` }
  return [json('POST', '/api/v1/attendance/rehearse', body)]
}

const frames = () => ({ protocol: 'hj212', frame: `##${'9'.repeat(4)}${'QN=20260101000000000;'.repeat(500)}` })

function uploads(): Request[] {
  const files: [name: string, bytes: Buffer][] = [
    ['zeros.xlsx', zip('xl/worksheets/sheet1.xml', Buffer.alloc(60 * 1024 * 1024, '<row><c t="s"><v>1</v></c></row>'))],
    ['noise.xlsx', zip('xl/worksheets/sheet1.xml', randomBytes(uploadBytes - 1_000))],
    ['noise.png', Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), randomBytes(uploadBytes)])],
    ['spaces.csv', Buffer.alloc(uploadBytes, ' ,')],
  ]
  return ['/api/v1/iot/device/import', '/api/v1/tool/upload'].flatMap((path) => files.map(([name, bytes]) => multipart(path, name, bytes)))
}

function multipart(path: string, fileName: string, bytes: Buffer): Request {
  const boundary = '----------------zhugong'
  const field = `--${boundary}\r\ncontent-disposition: form-data; name="mode"\r\n\r\ncheck\r\n`
  const head = `${field}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: application/octet-stream\r\n\r\n`
  const body = new Uint8Array(Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]))
  return {
    name: `POST ${path} (${fileName})`,
    method: 'POST',
    path,
    body: () => body,
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}

/** Creates a ZIP file with one compressed entry (APPNOTE 4.3): local header, data, central directory, end record. */
function zip(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(crc32(content), 10)
  common.writeUInt32LE(packed.length, 14)
  common.writeUInt32LE(content.length, 18)
  common.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, Buffer.alloc(14), Buffer.from(name)])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}
