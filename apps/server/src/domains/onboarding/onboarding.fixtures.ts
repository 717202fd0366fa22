import { changeOnboarding } from '@zhugong/contract/onboarding/endpoints'
import { changeLink, createLink } from '@zhugong/contract/onboarding/links'
import { actOnOpening, bringOpening, openingResult } from '@zhugong/contract/onboarding/openings'
import { call, type Fixtures, ofGroup } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      changeOnboarding,
      'site',
    )((s) => ({
      params: { id: 'devices' },
      query: { projectCode: s.projectCode },
      body: { action: 'off', reason: '本项目没有监测设备', version: 0 },
    })),
  ],
  exempt: [
    { why: 'names the administrator of a group below (onboarding/links.test.ts)', calls: [createLink, changeLink] },
    {
      why: 'a workbook of new groups and sites, in the caller’s own group (onboarding/opening/opening.test.ts)',
      calls: [bringOpening, actOnOpening, openingResult],
    },
  ],
  owners: {
    adminLink: ofGroup('admin_link', 'by_group'),
    opening: ofGroup('opening'),
  },
}
