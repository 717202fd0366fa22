import { createOpenApp, renewOpenAppSecret, switchOpenApp, updateOpenApp } from '@zhugong/contract/equipment/open-apps'
import { type CallCase, call, type Fixtures, ofProject } from '../../../test/fixtures/helpers.ts'

/** An application of the open API. */
const anOpenApp: Pick<CallCase, 'meanwhile'> = {
  meanwhile: [
    `insert into open_app (id, name, project_code, secret) values ('app-' || $1::text, '样例', $1, '\\x00')`,
    `delete from open_app where id = 'app-' || $1::text`,
  ],
}

export const fixtures: Fixtures = {
  calls: [
    call(createOpenApp, 'site')((s) => ({ body: { name: '新应用', projectCode: s.projectCode } })),
    call(updateOpenApp, 'site', anOpenApp)((s) => ({ params: { id: `app-${s.projectCode}` }, body: { name: '改名', version: 0 } })),
    call(renewOpenAppSecret, 'site', anOpenApp)((s) => ({ params: { id: `app-${s.projectCode}` } })),
    call(switchOpenApp, 'site', anOpenApp)((s) => ({ body: { id: `app-${s.projectCode}`, status: '0' } })),
  ],
  owners: {
    openApp: ofProject('open_app'),
  },
}
