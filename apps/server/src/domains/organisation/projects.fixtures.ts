import { confirmProjectFacts, saveProjectDaily, saveProjectRegistered } from '@zhugong/contract/organisation/project-facts'
import { fetchSuperviseNo, updateProjectV1 } from '@zhugong/contract/organisation/project-views'
import {
  assignSupervisor,
  changeProjectState,
  decideStateApply,
  removeProject,
  switchProjectStatus,
  updateProject,
} from '@zhugong/contract/organisation/projects'
import { call, type Fixtures, ofProject, reason, rowId } from '../../../test/fixtures/helpers.ts'
import type { SiteRows } from '../../../test/parts/site-rows.ts'

const registeredOf = (b: SiteRows['projectBody']) => ({
  name: b.name,
  address: b.address,
  invest: b.invest,
  contractPrice: b.contractPrice,
  buildingArea: b.buildingArea,
  startDate: b.startDate,
  completeDate: b.completeDate,
  prjSize: b.prjSize,
  structureType: b.structureType,
  fundSource: b.fundSource,
  investProjectCode: b.investProjectCode,
  approvalNum: b.approvalNum,
  builderLicenses: b.builderLicenses,
})

export const fixtures: Fixtures = {
  calls: [
    call(updateProject, 'site')((s) => ({ params: { projectCode: s.projectCode }, body: s.projectBody })),
    call(switchProjectStatus, 'body')((s) => ({ body: { projectCode: s.projectCode, status: '0' } })),
    call(removeProject, 'body')((s) => ({ params: { projectCode: s.projectCode } })),
    call(changeProjectState, 'state', {
      meanwhile: [
        `update project set prj_status = '006' where project_code = $1`,
        `update project set prj_status = '003' where project_code = $1`,
      ],
    })((s) => ({ body: { projectCode: s.projectCode, action: 'rework', reason, version: 0 } })),
    call(decideStateApply, 'body', {
      meanwhile: [
        "update project_state_apply set state = case when reason = '隔离测试' then '1' else '4' end where project_code = $1 and (reason = '隔离测试' or state = '1')",
        "update project_state_apply set state = '3' where project_code = $1",
      ],
    })((s) => ({ params: { id: rowId('state', s) }, body: { action: 'pass', version: 0 } })),
    call(
      saveProjectDaily,
      'site',
    )((s) => ({
      body: { linkMan: '周大勇', isClosedSite: true, projectCode: s.projectCode, version: s.projectBody.version ?? 0 },
    })),
    call(
      saveProjectRegistered,
      'site',
    )((s) => ({
      body: {
        ...registeredOf(s.projectBody),
        projectCode: s.projectCode,
        version: s.projectBody.version ?? 0,
      },
    })),
    call(confirmProjectFacts, 'site')((s) => ({ body: { projectCode: s.projectCode } })),
    call(updateProjectV1, 'site')((s) => ({ params: { id: s.projectCode }, body: s.projectBody })),
    call(fetchSuperviseNo, 'body')((s) => ({ body: { projectCode: s.projectCode } })),
    call(assignSupervisor, 'body')((s) => ({ body: { projectCodes: [s.projectCode], govCode: s.govCode } })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into project_state_apply (id, project_code, action, from_state, reason, state, filed_by, filed_name, create_time)
       select md5($1), project_code, 'complete', prj_status, '隔离测试', '3', 'test', '测试', now() from project where project_code = $2`,
      [`state ${projectCode}`, projectCode],
    )
  },
  owners: {
    project: `select project_code as id, project_code from project`,
    stateApply: ofProject('project_state_apply'),
  },
  guarded: ['project', 'project_state_apply'],
}
