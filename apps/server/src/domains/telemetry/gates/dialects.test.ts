import { gateDialectKeys } from '@zhugong/contract/telemetry/gate-dialects'
import { describe, expect, test } from 'vitest'
import { gateReaders, readPush } from './adapters.ts'
import { acknowledgementOf } from './dialects/operator.ts'
import { given } from './given-for-test.ts'

const picture = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00])
const encoded = picture.toString('base64')
const outcome = { accepted: 1, ignored: 0, deviceSn: 'FG-0101', now: Date.parse('2026-11-21T00:00:00Z') }

describe('ISAPI alerts', () => {
  const controller = { majorEventType: 5, subEventType: 75, employeeNoString: 'W1024', name: '田光明', serialNo: 812 }
  const time = '2026-11-21T07:58:03+08:00'
  const xml = (more = '') => `<?xml version="1.0" encoding="UTF-8"?>
<EventNotificationAlert version="2.0" xmlns="http://www.isapi.org/ver20/XMLSchema">
<ipAddress>10.0.0.9</ipAddress><dateTime>${time}</dateTime><eventType>AccessControllerEvent</eventType>
<AccessControllerEvent><majorEventType>5</majorEventType><subEventType>75</subEventType>
<employeeNoString>W1024</employeeNoString><name>田&amp;光明</name><serialNo>812</serialNo>${more}</AccessControllerEvent>
</EventNotificationAlert>`
  const passage = { recordId: '812', workerId: 'W1024', personType: '1', pass: '1', mode: '1' }

  test('JSON inside EventNotificationAlert, and without eventType', () => {
    for (const body of [
      { EventNotificationAlert: { dateTime: time, eventType: 'AccessControllerEvent', AccessControllerEvent: controller } },
      { dateTime: time, AccessControllerEvent: controller },
      { AccessControllerEvent: { ...controller, dateTime: time } },
    ])
      expect(readPush('event', given(body))?.passages).toMatchObject([{ time, data: passage }])
  })

  test('XML by itself, with a prefix, and as a part of multipart with a picture', () => {
    expect(readPush('event', given(xml(), { contentType: 'application/xml' }))?.passages).toMatchObject([
      { time, data: { ...passage, name: '田&光明' } },
    ])
    const prefixed = xml().replaceAll(/<(\/?)(?=[A-Za-z])/g, '<$1isapi:')
    expect(readPush('event', given(prefixed, { contentType: 'text/xml' }))?.passages).toMatchObject([{ time, data: passage }])
    const body = Buffer.concat([
      Buffer.from(`--b\r\nContent-Disposition: form-data; name="event_log"\r\nContent-Type: application/xml\r\n\r\n${xml()}\r\n`),
      Buffer.from('--b\r\nContent-Disposition: form-data; name="Picture"; filename="Picture.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'),
      picture,
      Buffer.from('\r\n--b--\r\n'),
    ])
    expect(readPush('event', given(body, { contentType: 'multipart/form-data; boundary=b' }))?.passages).toMatchObject([
      { time, data: passage, picture },
    ])
  })

  test('other alerts are no passages; entities are refused', () => {
    const other = xml().replace('AccessControllerEvent</eventType>', 'videoloss</eventType>')
    expect(readPush('event', given(other, { contentType: 'application/xml' }))).toMatchObject({ passages: [], ignored: 1 })
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa">]>${xml()}`
    expect(readPush('event', given(bomb, { contentType: 'application/xml' }))).toBeUndefined()
    expect(readPush('event', given('<html><body>hi</body></html>', { contentType: 'text/html' }))).toBeUndefined()
    expect(readPush('event', given({ hello: 1 }))).toBeUndefined()
  })
})

describe('operator and info', () => {
  const compared = (more: Record<string, unknown> = {}) => ({
    operator: 'RecPush',
    messageId: 'M7',
    info: {
      customId: 'W1024',
      personId: '4',
      RecordID: '1056',
      VerifyStatus: '1',
      persionName: '田光明',
      similarity1: '95.50',
      time: '2026-11-21 07:58:03',
      facesluiceId: '1023280',
      pic: `data:image/jpeg;base64,${encoded}`,
      ...more,
    },
  })

  test('a compared face, in both spellings and as VerifyPush', () => {
    expect(readPush('operator', given(compared()))?.passages).toEqual([
      {
        time: '2026-11-21 07:58:03',
        data: { recordId: '1056', workerId: 'W1024', name: '田光明', personType: '1', pass: '1', mode: '1', score: 95.5 },
        picture,
      },
    ])
    const verified = {
      operator: 'VerifyPush',
      info: {
        DeviceID: 1,
        PersonID: 105,
        CustomizeID: '123',
        Name: '田',
        VerifyStatus: 2,
        VerfyType: 3,
        CreateTime: '2026-11-21T07:58:03',
        nRecordIndex: 4,
      },
      SanpPic: `data:image/jpeg;base64,${encoded}`,
    }
    expect(readPush('operator', given(verified))?.passages).toMatchObject([
      { time: '2026-11-21T07:58:03', data: { recordId: '4', workerId: '123', pass: '0', mode: '3' }, picture },
    ])
    expect(readPush('operator', given(compared({ customId: '', personId: '0', VerifyStatus: 3 })))?.passages[0]?.data).toMatchObject({
      personType: '3',
      pass: '0',
    })
  })

  test('strangers, alarms and heartbeats', () => {
    const stranger = { operator: 'StrSnapPush', info: { facesluiceId: '1', SnapID: 6781, time: '2026-11-21 07:58:03' }, pic: encoded }
    expect(readPush('operator', given(stranger))?.passages).toEqual([
      { time: '2026-11-21 07:58:03', data: { recordId: '6781', personType: '3', pass: '0', mode: '1' }, picture },
    ])
    const alarm = { operator: 'SnapPush', info: { DeviceID: '1', AlarmAction: '未戴安全帽', CreateTime: '2026-11-21 07:58:03' } }
    expect(readPush('operator', given(alarm))).toMatchObject({ passages: [], ignored: 1, passedOver: 'SnapPush，未戴安全帽' })
    expect(readPush('operator', given({ operator: 'HeartBeat', info: { DeviceID: '1' } }))).toMatchObject({ passages: [], ignored: 1 })
    expect(readPush('operator', given({ operator: 'RecPush' }))).toBeUndefined()
  })

  test('the acknowledgement names the record', () => {
    expect(acknowledgementOf(compared())).toEqual({
      messageId: 'M7',
      operator: 'PushAck',
      info: { facesluiceId: '1023280', PushAckType: '2', SnapOrRecordID: '1056' },
    })
    expect(gateReaders.operator.reply(given({}), outcome).body).toEqual({ code: 200, desc: 'OK' })
  })
})

describe('AccessControl events', () => {
  const data = { UserID: 'W1024', CardName: '田光明', Method: 15, Status: 1, Type: 'Entry', UTC: 1_795_219_083, BlockId: 77 }
  const passage = { time: 1_795_219_083_000, data: { recordId: '77', workerId: 'W1024', pass: '1', mode: '1', direction: '0' } }

  test('alone, in a notification, in a list, and as lines', () => {
    for (const body of [
      { Code: 'AccessControl', Action: 'Pulse', Index: 0, Data: data },
      { method: 'notify.event', params: { Code: 'AccessControl', Data: data } },
      { Events: [{ Action: 'Pulse', Code: 'AccessControl', Data: data }] },
    ])
      expect(readPush('dahua', given(body))?.passages).toMatchObject([passage])
    const lines = `Code=AccessControl;action=Pulse;index=0;data=${JSON.stringify(data, null, 2)}\r\nCode=DoorStatus;action=Pulse;index=0;data={"Status":"Open"}`
    expect(readPush('dahua', given(lines, { contentType: 'text/plain' }))).toMatchObject({
      passages: [passage],
      ignored: 1,
      passedOver: 'DoorStatus',
    })
  })

  test('refused, unknown people, and doors opened by a button', () => {
    expect(readPush('dahua', given({ Code: 'AccessControl', Data: { ...data, Status: 0, UserID: '' } }))?.passages[0]?.data).toMatchObject({
      personType: '3',
      pass: '0',
    })
    expect(readPush('dahua', given({ Code: 'AccessControl', Data: { ...data, Method: 5 } }))).toMatchObject({ passages: [], ignored: 1 })
    expect(readPush('dahua', given({ Code: 'DoorStatus', Data: { Status: 'Open' } }))).toMatchObject({
      passages: [],
      passedOver: 'DoorStatus',
    })
    expect(readPush('dahua', given({ hello: 1 }))).toBeUndefined()
  })
})

describe('LAPI PersonVerification', () => {
  const record = (match: Record<string, unknown> = {}) => ({
    Reference: '',
    Seq: 9,
    DeviceCode: '210235C3R0320B000000',
    Timestamp: 1_795_219_090,
    NotificationType: 0,
    FaceInfoNum: 1,
    FaceInfoList: [{ ID: 9, Timestamp: 1_795_219_083, Temperature: 0, FaceImage: { Name: '1.jpg', Size: 5, Data: encoded } }],
    CardInfoNum: 0,
    CardInfoList: [],
    LibMatInfoNum: 1,
    LibMatInfoList: [
      {
        ID: 9,
        LibID: 3,
        LibType: 3,
        MatchStatus: 1,
        MatchPersonID: 111,
        MatchPersonInfo: { PersonCode: 'W1024', PersonName: '田光明' },
        ...match,
      },
    ],
  })

  test('verified, refused, unknown, enrolled', () => {
    expect(readPush('uniview', given(record()))?.passages).toEqual([
      {
        time: 1_795_219_083_000,
        data: { recordId: '9', workerId: 'W1024', name: '田光明', personType: '1', pass: '1', mode: '1' },
        picture,
      },
    ])
    expect(readPush('uniview', given(record({ MatchStatus: 2 })))?.passages[0]?.data).toMatchObject({ pass: '0' })
    expect(readPush('uniview', given(record({ MatchPersonID: 0, MatchPersonInfo: {}, MatchStatus: 2 })))?.passages[0]?.data).toMatchObject({
      personType: '3',
      pass: '0',
    })
    expect(readPush('uniview', given(record({ MatchStatus: 21 })))).toMatchObject({ passages: [], ignored: 1 })
  })

  test('the heartbeat, and the reply that names the path', () => {
    expect(readPush('uniview', given({ RefId: 'x', Time: '2026-11-21 07:58:03' }))).toEqual({
      passages: [],
      ignored: 1,
      timeless: undefined,
    })
    const reply = gateReaders.uniview.reply(given({}, { rest: 'LAPI/V1.0/System/Event/Notification/PersonVerification' }), outcome)
    expect(reply.body).toMatchObject({
      Response: {
        ResponseURL: 'LAPI/V1.0/System/Event/Notification/PersonVerification',
        StatusCode: 0,
        Data: { Time: '2026-11-21 08:00:00' },
      },
    })
    expect(readPush('uniview', given({ hello: 1 }))).toBeUndefined()
  })
})

describe('ADMS', () => {
  const upload = (body: string, table = 'ATTLOG') =>
    given(body, { rest: 'iclock/cdata', query: new URLSearchParams({ SN: 'X', table, Stamp: '9999' }), contentType: 'text/plain' })

  test('attendance lines become passages; the reply says how many were received', () => {
    const request = upload('W1024\t2026-11-21 07:58:03\t0\t15\t0\t0\r\n23\t2026-11-21 17:02:11\t1\t1\r\n\r\n')
    expect(
      readPush('adms', request)?.passages.map(({ time, data }) => [time, data.workerId, data.direction, data.mode, data.recordId]),
    ).toEqual([
      ['2026-11-21 07:58:03', 'W1024', '0', '1', 'W1024-20261121075803'],
      ['2026-11-21 17:02:11', '23', '1', '6', '23-20261121170211'],
    ])
    expect(gateReaders.adms.reply(request, outcome)).toEqual({ body: 'OK: 2', contentType: 'text/plain; charset=utf-8' })
    expect(readPush('adms', upload('OPLOG 4\t0\t2026-11-21 07:58:03', 'OPERLOG'))).toMatchObject({ passages: [], ignored: 1 })
    expect(readPush('adms', upload('23\t2026-13-41 17:02:11\t1\t1'))).toMatchObject({
      passages: [],
      ignored: 1,
      timeless: [expect.any(String)],
    })
  })

  test('first contact and polling are answered as text', () => {
    const hello = given('', { method: 'GET', rest: 'iclock/cdata', query: new URLSearchParams({ SN: 'X', options: 'all' }) })
    expect(readPush('adms', hello)).toMatchObject({ passages: [], ignored: 1 })
    expect(gateReaders.adms.reply(hello, outcome).body).toContain('GET OPTION FROM: FG-0101\n')
    const poll = given('', { method: 'GET', rest: 'iclock/getrequest.aspx' })
    expect(gateReaders.adms.reply(poll, outcome).body).toBe('OK')
    expect(readPush('adms', given('', { method: 'GET', rest: 'elsewhere' }))).toBeUndefined()
  })
})

test('a push of one format is read by no other', () => {
  const samples = {
    event: given({
      eventType: 'AccessControllerEvent',
      dateTime: '2026-11-21T07:58:03+08:00',
      AccessControllerEvent: { majorEventType: 5, subEventType: 75, employeeNoString: 'W1' },
    }),
    dahua: given({ Code: 'AccessControl', Data: { UserID: 'W1', Status: 1, Method: 15, UTC: 1_795_219_083 } }),
    uniview: given({
      DeviceCode: 'D',
      Timestamp: 1_795_219_083,
      LibMatInfoList: [{ MatchStatus: 1, MatchPersonInfo: { PersonCode: 'W1' } }],
    }),
    operator: given({ operator: 'RecPush', info: { customId: 'W1', VerifyStatus: 1, time: '2026-11-21 07:58:03' } }),
    adms: given('W1\t2026-11-21 07:58:03\t0\t15', { rest: 'iclock/cdata', query: new URLSearchParams({ table: 'ATTLOG' }) }),
    callback: given({ deviceKey: 'D', personId: 'W1', type: 'face_0', time: 1_795_219_083_000 }),
  }
  const passages = (key: (typeof gateDialectKeys)[number], sample: ReturnType<typeof given>) => readPush(key, sample)?.passages.length ?? 0
  for (const [own, sample] of Object.entries(samples))
    expect(gateDialectKeys.filter((key) => key !== 'generic' && passages(key, sample) > 0)).toEqual([own])
})
