import {
  createExec,
  createTrigger,
  deleteExec,
  deleteTrigger,
  duplicateExec,
  duplicateTrigger,
  rehearseTrigger,
  updateExec,
  updateLevels,
  updateTrigger,
} from '@zhugong/contract/rules/endpoints'
import { call, type Fixtures, rowId } from '../../../test/fixtures/helpers.ts'

const windRule = { level: 2, condition: { type: 'threshold', metric: 'windSpeed', op: '>=', value: 12 } } as const

export const fixtures: Fixtures = {
  calls: [
    call(
      createTrigger,
      'site',
    )((s) => ({
      body: {
        name: '本工地风速',
        family: 'towerCrane',
        alarmKey: 'windAlarm',
        scope: { kind: 'projects', projectCodes: [s.projectCode] },
        projectCode: s.projectCode,
        levels: [windRule],
      },
    })),
    call(updateTrigger, 'site')((s) => ({ params: { id: rowId('rule', s) }, body: { name: '改名的规则', version: 1 } as never })),
    call(deleteTrigger, 'site')((s) => ({ params: { id: rowId('rule', s) } })),
    call(duplicateTrigger, 'site')((s) => ({ params: { id: rowId('rule', s) }, body: { projectCode: s.projectCode } })),
    call(
      createExec,
      'site',
    )((s) => ({
      body: { name: '通知安全员', kind: 'notify', projectCode: s.projectCode, notify: { roles: ['safety'], channels: ['1'] } as never },
    })),
    call(
      updateExec,
      'site',
    )((s) => ({
      params: { id: rowId('exec', s) },
      body: { name: '转给企业平台', kind: 'webhook', projectCode: s.projectCode, webhook: { url: 'https://example.com/alarms' } },
    })),
    call(duplicateExec, 'site')((s) => ({ params: { id: rowId('exec', s) }, body: { projectCode: s.projectCode } })),
    call(deleteExec, 'site')((s) => ({ params: { id: rowId('exec', s) } })),
  ],
  exempt: [{ why: 'changes the caller’s own group only (roles, accounts, settings, files, exports)', calls: [updateLevels] }],
  reads: [
    {
      endpoint: rehearseTrigger,
      by: 'hospital-pm',
      input: ({ camera }) => ({
        body: {
          trigger: {
            family: 'videoAi',
            levels: [{ level: 2, condition: { type: 'threshold', metric: 'storageUsed', op: '>=', value: 12 } }],
          },
          samples: { deviceIds: [camera], from: Date.parse('2026-11-19T00:00:00+08:00'), to: Date.parse('2026-11-20T00:00:00+08:00') },
        },
      }),
    },
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into rule_trigger (id, name, family, alarm_key, scope, project_code, levels)
       values (md5($1), '隔离测试', 'towerCrane', 'windAlarm', jsonb_build_object('kind', 'projects', 'projectCodes', jsonb_build_array($2::text)), $2,
         '[{"level":2,"condition":{"type":"threshold","metric":"windSpeed","op":">=","value":12}}]')`,
      [`rule ${projectCode}`, projectCode],
    )
    await pool.query(
      `insert into rule_exec (id, name, kind, project_code, definition) values (md5($1), '隔离测试', 'webhook', $2, '{"url":"https://example.com/"}')`,
      [`exec ${projectCode}`, projectCode],
    )
  },
  owners: {
    trigger: `select id, project_code from rule_trigger where project_code is not null`,
    exec: `select id, project_code from rule_exec where project_code is not null`,
  },
  guarded: ['rule_trigger', 'rule_exec'],
}
