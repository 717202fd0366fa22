import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  EllipsisOutlined,
  RollbackOutlined,
  StepForwardOutlined,
  SyncOutlined,
} from '@ant-design/icons'
import type { ApprovalDetail, StepView } from '@zhugong/contract/workflow/endpoints'
import { seatStates, stepStates } from '@zhugong/contract/workflow/flow'
import type { ReactNode } from 'react'
import { Card, Tag } from '#kit/feedback.tsx'

const looks: Readonly<Record<string, [icon: ReactNode, className: string, word: string]>> = {
  [stepStates.coming]: [<EllipsisOutlined key="i" />, 'coming', '未到'],
  [stepStates.open]: [<SyncOutlined key="i" />, 'open', '进行中'],
  [stepStates.passed]: [<CheckCircleFilled key="i" />, 'passed', '已通过'],
  [stepStates.rejected]: [<CloseCircleFilled key="i" />, 'rejected', '已驳回'],
  [stepStates.skipped]: [<StepForwardOutlined key="i" />, 'passed', '已合并'],
  [stepStates.returned]: [<RollbackOutlined key="i" />, 'coming', '已终止'],
}
const seatWords: Readonly<Record<string, string>> = {
  [seatStates.later]: '等待',
  [seatStates.open]: '待审批',
  [seatStates.agreed]: '同意',
  [seatStates.refused]: '驳回',
  [seatStates.handed]: '已转办',
}
const originWords: Readonly<Record<string, string>> = { transfer: '转办', addSign: '加签', fallback: '代管理员', late: '超时转来' }

/** The steps of an item: decisions made, current approvers, and those of the next steps. */
export function ApprovalCourse({ file }: { file: ApprovalDetail }) {
  return (
    <>
      <Card title="流程" remark={`${file.steps.length} 个步骤`}>
        <ol className="flow-steps">
          {file.steps.map((step, i) => (
            <FlowStep key={step.id} step={step} beside={i > 0 && file.steps[i - 1]?.stage === step.stage} />
          ))}
        </ol>
      </Card>
      <Card title="经过" remark={`${file.events.length} 条，全部留痕`}>
        <ol className="flow-events">
          {file.events.map((e) => (
            <li key={e.id}>
              <time className="zg-2">{e.at.slice(5, 16)}</time>
              <div>
                <b>{e.name}</b> {e.actionName}
                {e.node && <span className="zg-2"> · {e.node}</span>}
                {e.note && <div className="zg-2">{e.note}</div>}
                {e.opinion && <p>{e.opinion}</p>}
              </div>
            </li>
          ))}
        </ol>
      </Card>
    </>
  )
}

function FlowStep({ step, beside }: { step: StepView; beside: boolean }) {
  const [icon, className, word] = looks[step.state] ?? [<ClockCircleOutlined key="i" />, 'coming', '']
  return (
    <li className={`flow-step ${className}`}>
      <i aria-hidden="true">{icon}</i>
      <div>
        <div className="head">
          <b>{step.name}</b>
          <span className="zg-2">
            {[word, step.modeName, beside ? '与上一步同时' : '', step.sign ? '须签名' : ''].filter(Boolean).join(' · ')}
          </span>
          {step.state === stepStates.open && step.deadline && <span className="zg-2">时限 {step.deadline.slice(5, 16)}</span>}
        </div>
        {step.note && <div className="zg-2">{step.note}</div>}
        <ul>
          {step.seats.map((seat) => (
            <li key={`${seat.name}${seat.groupName}${seat.state}${seat.at ?? ''}`}>
              {seat.name} <span className="zg-2">{seat.groupName}</span>
              {step.state !== stepStates.coming && (
                <Tag
                  tone={seat.state === seatStates.agreed ? 'fine' : seat.state === seatStates.refused ? 'danger' : 'neutral'}
                  icon={false}
                >
                  {seatWords[seat.state]}
                </Tag>
              )}
              {(seat.forName || originWords[seat.origin]) && (
                <span className="zg-2">{seat.forName ? `代 ${seat.forName}` : originWords[seat.origin]}</span>
              )}
              {seat.at && <time className="zg-2">{seat.at.slice(5, 16)}</time>}
              {seat.opinion && <p>{seat.opinion}</p>}
            </li>
          ))}
        </ul>
      </div>
    </li>
  )
}
