import { ignoreUnregistered, verifyDevice } from '@zhugong/contract/equipment/device-tools'
import {
  copyDocking,
  createDocking,
  removeDocking,
  switchDocking,
  tryDocking,
  updateDocking,
} from '@zhugong/contract/equipment/docking-endpoints'
import {
  createBrand,
  createFactory,
  removeBrand,
  removeFactory,
  updateBrand,
  updateFactory,
} from '@zhugong/contract/equipment/library-endpoints'
import { createModel, removeModel, updateModel } from '@zhugong/contract/equipment/model-endpoints'
import { importDevices, saveDueSetting } from '@zhugong/contract/equipment/service-endpoints'
import type { Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    { why: 'changes the caller’s own group only (roles, accounts, settings, files, exports)', calls: [saveDueSetting] },
    {
      why: 'platform only',
      calls: [
        createFactory,
        updateFactory,
        removeFactory,
        createBrand,
        updateBrand,
        removeBrand,
        createModel,
        updateModel,
        removeModel,
        createDocking,
        updateDocking,
        removeDocking,
        switchDocking,
        copyDocking,
        tryDocking,
        ignoreUnregistered,
      ],
    },
    { why: 'each row of the workbook is checked as createDevice is', calls: [importDevices] },
  ],
  reads: [
    {
      endpoint: verifyDevice,
      by: 'hospital-pm',
      input: ({ of, project, serial }) => ({
        body: { id: of('device'), deviceSn: serial, projectCode: project, gatewayId: of('gateway') },
      }),
    },
  ],
  withoutPage: [
    { why: 'older address of a call that pages make under another', names: ['removeDevice', 'exportDevices'] },
    { why: 'lists and trees to choose from, for clients that draw their own forms', names: ['ownDeviceTypes', 'ownDeviceModels'] },
  ],
  unowned: {
    brand: 'library of the platform, readable by everybody',
    factory: 'library of the platform, readable by everybody',
    model: 'library of the platform, readable by everybody',
    docking: 'platform only',
    externalDevice: 'platform only',
  },
  writes: {
    alarm: 'a removed device ends its alarms in the same transaction; alarms depends on equipment, so it cannot be called',
    alarm_log: 'the end of those alarms is an entry of their log',
    rule_state: 'a removed device, or one with another model, resets the state of its rules',
    hj212_station: 'manual settings of a station, beside what it reports',
    jt808_registration: 'opens the time window in which a terminal may register',
    audit_log: 'a change by an application has no session; its audit row is written with it',
  },
}
