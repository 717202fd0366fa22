import { addMark, attachMark } from '@zhugong/contract/monitoring/video/video-marks'
import { addPatrol, answerPatrol, judgePatrol } from '@zhugong/contract/monitoring/video/video-patrols'
import { call, type Fixtures, ofProject, reason, rowId } from '../../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      addPatrol,
      'review',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: { cameraIds: [s.device('videoAi')], result: 'found', finding: reason, deviceId: s.device('videoAi') },
    })),
    call(
      answerPatrol,
      'site',
    )((s, _c, a) => ({
      params: { id: rowId('video patrol', s) },
      query: { projectCode: s.projectCode },
      body: { answer: '已安排清扫并检修冲洗设备', photos: [a.fileId], version: 0 },
    })),
    call(judgePatrol, 'review', {
      meanwhile: [
        `update video_patrol set state = 'answered', answer = '已处理', answer_at = now() where project_code = $1 and id = md5('video patrol ' || $1)`,
        `update video_patrol set state = 'open', answer = null, answer_at = null where project_code = $1 and id = md5('video patrol ' || $1)`,
      ],
    })((s) => ({
      params: { id: rowId('video patrol', s) },
      query: { projectCode: s.projectCode },
      body: { action: 'return', reason, version: 0 },
    })),
    call(
      attachMark,
      'review',
    )((s) => ({ params: { id: rowId('video mark', s) }, query: { projectCode: s.projectCode }, body: { alarmId: null } })),
    call(
      addMark,
      'review',
    )((s) => ({ query: { projectCode: s.projectCode }, body: { kind: 'bookmark', deviceId: s.device('videoAi'), note: reason } })),
  ],
  projectRows: async ({ pool, projectCode, device }) => {
    await pool.query(
      `insert into video_mark (id, project_code, device_id, kind, at, note, by_id, by_name, by_group, create_time)
       values (md5($1), $2, $3, 'bookmark', now(), '隔离测试', 'sample', '样例', '样例', now())`,
      [`video mark ${projectCode}`, projectCode, device.id],
    )
    await pool.query(
      `insert into video_wall (id, group_id, project_code, name, size, cameras, shared, by_id, by_name, update_time)
       select md5($1), id, $2, '隔离测试', 4, '{}', true, 'sample', '样例', now() from tenant where type = 3 and code = $2`,
      [`video wall ${projectCode}`, projectCode],
    )
    await pool.query(
      `insert into video_patrol (id, project_code, at, cameras, result, finding, by_id, by_name, by_group, state)
       values (md5($1), $2, now(), '[]', 'found', '隔离测试', 'sample', '样例', '样例', 'open')`,
      [`video patrol ${projectCode}`, projectCode],
    )
  },
  owners: {
    videoWall: ofProject('video_wall'),
    videoMark: ofProject('video_mark'),
    videoPatrol: ofProject('video_patrol'),
  },
  guarded: ['video_view', 'video_wall'],
}
