import { type ProjectAction, type ProjectRow, projectActions } from '@zhugong/contract/organisation/model'
import { changeProjectState, fillProject } from '@zhugong/contract/organisation/projects'
import { useState } from 'react'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { call, useAct } from '#kit/call.ts'
import { showFailure } from '#kit/http.ts'

/** A project that cannot start yet, with the missing items. */
export interface Lacking {
  row: ProjectRow
  missing: readonly string[]
}

/** Actions that change a project's state; ask for a reason or confirmation. A start first checks that nothing is missing. */
export function useProjectMoves() {
  const [lacking, setLacking] = useState<Lacking>()
  const state = useAct(changeProjectState, {
    success: ({ waiting }) => (waiting ? '已提交申请，等待监管机构审定' : '项目状态已变更'),
  })
  const change = async (row: ProjectRow, action: ProjectAction) => {
    const { name, needsReason } = projectActions[action]
    if (action === 'start') {
      // Show missing items with links to fix them, before the server would refuse.
      try {
        const full = await call(fillProject, { params: { projectCode: row.projectCode } })
        if (full.missingForStart.length) return setLacking({ row, missing: full.missingForStart })
      } catch (error) {
        return showFailure(error)
      }
    }
    const reason = needsReason ? await askReason(`${name}：${row.name}`, '原因（至少 5 个字）') : ''
    if (needsReason && !reason) return
    if (!needsReason) {
      const yes = await confirmDanger({ thing: `${name}：${row.name}`, consequence: consequences[action], verb: name, keep: '不变' })
      if (!yes) return
    }
    await state.run({ body: { projectCode: row.projectCode, action, reason: reason ?? '', version: row.version } })
  }
  return { change, lacking, setLacking }
}

const consequences: Record<ProjectAction, string> = {
  approve: '立项后可以补齐许可证和五方单位，再确认开工。',
  start: '项目转为在建，开始考勤考核和监督计划。',
  complete: '须全部班组已退场；确认后停止考勤考核。',
  accept: '登记竣工验收，项目转为竣工。',
  rework: '',
}
