import { PrinterOutlined } from '@ant-design/icons'
import { changePlan, getPlan, type PlanDetail, type PlanVisit, planRisk, removePlan, removePlanVisit } from '@zhugong/contract/plans/calls'
import { type PlanAction, planStates } from '@zhugong/contract/plans/moves'
import { Button } from 'antd'
import { Link } from 'react-router'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Course } from '#kit/course.tsx'
import { Card, Empty, Notice, Pairs, RiskBadge, Tag, type Tone } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Handling, WorkItem } from '#kit/work-item.tsx'
import { useIsRegulator } from '../daychecks/public.tsx'
import { marks, Sideways } from '../scoring/public.tsx'
import { PlanStateTag } from './plan-list-page.tsx'
import { RiskCard } from './risk-card.tsx'
import './plans.css'

/** How far is this plan fulfilled, and is it still the right one? For a site: what will be looked at, and by whom. */
export default function PlanDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择监督计划" hint="从监督计划列表打开一份">
          <Button onClick={() => go('/jgt/checkplan')}>去监督计划</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Plan key={id} id={id} />
    </div>
  )
}

function Plan({ id }: { id: string }) {
  const page = usePage()
  const print = usePrint('checkplanPaper')
  const read = useCall(getPlan, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  const file = read.data
  return (
    <WorkItem
      lead={file?.riskLevel ? <RiskBadge level={file.riskLevel} /> : undefined}
      title={file && (file.code ?? file.title)}
      tags={file && <PlanStateTag row={file} />}
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '监督专业', value: `${file.disciplineName} ${file.year} 年` },
              { label: '监督人员', value: file.supervisors.join('、') },
              { label: '版本', value: `第 ${file.versionNo} 版` },
              ...(file.planCount === null ? [] : [{ label: '已检/应检', value: `${file.doneCount} / ${file.planCount}` }]),
            ]
          : []
      }
      actions={
        file?.published && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'checkplanPaper', exportType: 'pdf', query: { id } } })}
          >
            打印监督计划
          </Button>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <Acts file={file} />
            {file.timeline.length > 0 && <Course lines={file.timeline} bad={['reject', 'terminate']} />}
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

function Acts({ file }: { file: PlanDetail }) {
  const go = useGo()
  const page = usePage()
  const act = useAct(changePlan, { success: '已办理' })
  const removal = useAct(removePlan, { success: '草稿已删除', onDone: () => page.leave('/jgt/checkplan') })
  const may = (action: PlanAction) => file.actions.some((one) => one.action === action)
  const at = { params: { id: file.id }, query: { projectCode: '*' } }
  const run = (body: Parameters<typeof act.run>[0]['body']) => act.run({ ...at, body })
  const withReason = (title: string, label: string, action: 'reject' | 'terminate') => async () => {
    const opinion = await askReason(title, label)
    if (opinion) await run({ action, version: file.version, opinion })
  }
  const edit = () => go('/jgt/checkplan/edit', { id: file.id })
  const remove = async () => {
    const sure = await confirmDanger({ thing: `删除草稿“${file.title}”`, consequence: '不能恢复。', verb: '删除', keep: '保留' })
    if (sure) await removal.run(at)
  }
  const actions = [
    ...(may('approve') ? [{ label: '通过', main: true, run: () => run({ action: 'approve', version: file.version, opinion: '' }) }] : []),
    ...(may('reject') ? [{ label: '退回', danger: true, run: withReason('退回监督计划', '退回意见', 'reject') }] : []),
    ...(may('submit') ? [{ label: '修改并提交', main: true, run: edit }] : []),
    ...(may('receive') ? [{ label: '签收', main: true, run: () => run({ action: 'receive', version: file.version }) }] : []),
    ...(may('adjust') ? [{ label: '调整计划', run: edit }] : []),
    ...(may('finish') ? [{ label: '完成', run: () => run({ action: 'finish', version: file.version }) }] : []),
    ...(may('terminate') ? [{ label: '终止', danger: true, run: withReason('终止监督计划', '终止原因', 'terminate') }] : []),
    ...(may('save') && file.state === planStates.draft ? [{ label: '删除草稿', danger: true, run: remove }] : []),
  ]
  return (
    <Handling actions={actions} busy={act.running || removal.running} none={`${file.stateName}，现在没有需要您办理的事项`}>
      <Hindrances file={file} />
    </Handling>
  )
}

/** What stands in the way of finishing, as links. */
function Hindrances({ file }: { file: PlanDetail }) {
  const missing = file.visits.filter((one) => one.mark !== 'done')
  if (file.state !== planStates.running || (missing.length === 0 && file.openNotices.length === 0)) return null
  return (
    <div className="zg-2 plan-missing">
      <p>完成前还需：</p>
      <ul>
        {missing.map((one) => (
          <li key={one.id}>
            {one.check ? (
              <Link to={hrefOf('/jgt/daycheck/details', { id: one.check.id })}>{`${one.windowStart} 的检查`}</Link>
            ) : (
              <Link to={arrangeHref(file, one)}>{`${one.windowStart} 至 ${one.windowEnd} 的检查`}</Link>
            )}
          </li>
        ))}
        {file.openNotices.map((one) => (
          <li key={one.id}>
            <Link to={hrefOf('/jgt/project/project_detail', { id: one.id })}>{one.code ?? '整改通知'}</Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

const arrangeHref = (file: PlanDetail, visit: PlanVisit) =>
  hrefOf('/jgt/daycheck/edit', { projectCode: file.projectCode, planId: file.id, taskId: visit.id, discipline: file.discipline })

function Content({ file }: { file: PlanDetail }) {
  const regulates = useIsRegulator()
  const risk = useCall(planRisk, { query: { projectCode: file.projectCode } }, { quiet: true, enabled: regulates })
  return (
    <>
      {file.state === planStates.returned && file.opinion && <Notice tone="danger">审批退回：{file.opinion}</Notice>}
      {file.paused && <Notice tone="warning">项目停工，检查暂停，窗口不计漏检。</Notice>}
      {file.visits.length > 0 && <Visits file={file} />}
      <Card title="计划内容">
        <Pairs
          items={[
            { label: '计划名称', value: file.title, wide: true },
            { label: '编制机构', value: file.authorGroupName },
            { label: '起止', value: `${file.startDate} 至 ${file.endDate}` },
            { label: '监督交底', value: file.disclosureDate },
            { label: '审批', value: file.approveName && `${file.approveName} ${file.approveAt?.slice(0, 16)}` },
            { label: '重点部位', value: file.focus.join('、') },
            { label: '主要监督内容', value: <span className="plan-text">{file.mainContent}</span>, wide: true },
            { label: '监督措施', value: file.measures && <span className="plan-text">{file.measures}</span>, wide: true },
          ]}
        />
      </Card>
      {regulates && file.frequency.length > 0 && (
        <Card title="抽查频次" remark={file.frequencyReason ?? undefined}>
          <Pairs items={file.frequency.map((one) => ({ label: one.phaseName, value: `${one.times} 次，${one.from} 至 ${one.to}` }))} />
        </Card>
      )}
      {file.published && (
        <Card title="签收" remark={`${file.receipts.length} 方已签收`}>
          {file.receipts.length === 0 ? (
            <Empty small text="尚无签收" />
          ) : (
            <Pairs items={file.receipts.map((one) => ({ label: one.groupName, value: `${one.name} ${one.at.slice(0, 16)}` }))} />
          )}
        </Card>
      )}
      {file.versions.length > 0 && <Versions file={file} />}
      {risk.data && <RiskCard risk={risk.data} />}
    </>
  )
}

const visitWords: Readonly<Record<PlanVisit['mark'], { text: string; tone: Tone }>> = {
  planned: { text: '未到期', tone: 'neutral' },
  due: { text: '应检', tone: 'warning' },
  done: { text: '已检', tone: 'fine' },
  missed: { text: '漏检', tone: 'danger' },
  paused: { text: '停工暂停', tone: 'maintenance' },
}

function Visits({ file }: { file: PlanDetail }) {
  const removal = useAct(removePlanVisit, { success: '已删除' })
  const mayChange = file.actions.some((one) => one.action === 'adjust')
  const remove = async (visit: PlanVisit) => {
    const reason = await askReason(`删除 ${visit.windowStart} 至 ${visit.windowEnd} 的检查任务`, '原因')
    if (reason) await removal.run({ params: { taskId: visit.id }, query: { projectCode: '*', reason } })
  }
  return (
    <Card title="检查任务" remark={`已检 ${file.doneCount} / ${file.planCount}，窗口对项目保密`} flush>
      <Sideways label="检查任务">
        <table className="plan-matrix">
          <thead>
            <tr>
              <th scope="col">序号</th>
              <th scope="col">阶段</th>
              <th scope="col">窗口</th>
              <th scope="col">状态</th>
              <th scope="col">检查</th>
              <th scope="col">检查人员</th>
              <th scope="col">得分</th>
              <th scope="col" />
            </tr>
          </thead>
          <tbody>
            {file.visits.map((one) => (
              <tr key={one.id}>
                <td>{one.seq}</td>
                <td>{one.phaseName}</td>
                <td className="plan-window">
                  {one.windowStart} 至 {one.windowEnd.slice(5)}
                </td>
                <td>
                  <Tag tone={visitWords[one.mark].tone}>{visitWords[one.mark].text}</Tag>
                </td>
                <td>
                  {one.check && (
                    <Link to={hrefOf('/jgt/daycheck/details', { id: one.check.id })}>{one.check.code ?? one.check.stateName}</Link>
                  )}
                </td>
                <td>{one.check?.checkers.join('、')}</td>
                <td>{one.check && marks(one.check.score)}</td>
                <td>
                  {!one.check && mayChange && one.mark !== 'missed' && (
                    <span className="zg-row zg-gap-6">
                      <Link to={arrangeHref(file, one)}>安排检查</Link>
                      <button type="button" className="zg-bare zg-link" onClick={() => void remove(one)}>
                        删除
                      </button>
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Sideways>
    </Card>
  )
}

function Versions({ file }: { file: PlanDetail }) {
  return (
    <Card title="版本" remark={`${file.versions.length} 个`}>
      {file.versions.toReversed().map((one) => (
        <div key={one.versionNo}>
          <b>第 {one.versionNo} 版</b>{' '}
          <span className="zg-2">
            {one.approveName} {one.approveAt.slice(0, 16)}
            {one.reason && ` · ${one.reason}`}
          </span>
          {one.changes.length > 0 && (
            <div className="plan-changes">
              {one.changes.map(({ label, before, after }) => (
                <Change key={`${label}${before}${after}`} label={label} before={before} after={after} />
              ))}
            </div>
          )}
        </div>
      ))}
    </Card>
  )
}

const Change = ({ label, before, after }: { label: string; before: string; after: string }) => (
  <>
    <span className="zg-2">{label}</span>
    <del>{before}</del>
    <ins>{after}</ins>
  </>
)
