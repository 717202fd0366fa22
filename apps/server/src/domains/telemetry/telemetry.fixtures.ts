import type { Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  withoutPage: [
    {
      why: 'records and figures for clients that read them, shown on pages by calls of several kinds at once',
      names: ['envRecords', 'sprayRecords', 'towerRecords'],
    },
  ],
  signed: [
    'openTime',
    'openEnvRealtime',
    'openEnvLine',
    'pushGate',
    'openData',
    'openDevice',
    'openEvent',
    'openFile',
    'openHeartbeat',
    'openParams',
    'openRecord',
    'openRegister',
  ],
  writes: {
    device: 'a commanded secret or interval is in force once the device has answered',
    gateway: 'online state and last contact, as readings arrive',
    open_nonce: 'the nonce of a signed call is stored when it is used',
    poll_gateway: 'the result of the last poll',
    stored_file: 'a picture that arrived with a reading',
  },
}
