import './onboarding.css'
import { CheckCircleFilled, ClockCircleFilled, MinusCircleOutlined, ReloadOutlined, WarningFilled } from '@ant-design/icons'
import type { MenuNode } from '@zhugong/contract/access/menu'
import { appOfCode } from '@zhugong/contract/apps/catalogue'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { changeOnboarding, getOnboarding, type OnboardingCheck } from '@zhugong/contract/onboarding/endpoints'
import { mayBeOff, onboardingSteps, type StepKey, type StepState, stepStates, whole } from '@zhugong/contract/onboarding/steps'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DetailShell, NothingChosen } from '#kit/detail-shell.tsx'
import { useEnter } from '#kit/enter.ts'
import { Card, Tag } from '#kit/feedback.tsx'
import { useMe } from '#kit/me.ts'
import { findMenu } from '#kit/menu.ts'
import { MenuDrawing } from '#kit/menu-icon.tsx'
import { usePageParam } from '#kit/page.tsx'
import { AssignDrawer } from './assign-drawer.tsx'
import { stepTones, stuckSaid } from './step-words.ts'

type Detail = OutputFor<typeof getOnboarding>
type Step = Detail['details'][number]
const list = '/projectNavigation'

/** Onboarding of one site: what is missing, who does it, and where. */
export default function NavigationDetailPage() {
  const projectCode = usePageParam('projectCode')
  return projectCode ? (
    <Opened projectCode={projectCode} />
  ) : (
    <NothingChosen title="项目导航详情" thing="项目" one="一个项目" from={{ path: list, name: '项目导航' }} />
  )
}

function Opened({ projectCode }: { projectCode: string }) {
  const at = { params: { id: projectCode }, query: { projectCode } }
  const { data, error, refetch, isFetching } = useCall(getOnboarding, at, { quiet: true, staleMs: 0, group: '*' })
  const [chosen, setChosen] = useState<StepKey>()
  const [assigning, setAssigning] = useState<StepKey | typeof whole>()
  const enter = useEnter()
  const send = useAct(changeOnboarding, { success: ({ told }) => `已发送给 ${told} 位项目管理员` })
  const step = data?.details.find(({ key }) => key === (chosen ?? data.stuck ?? 'register'))
  const go = (path: string) => {
    if (!data) return
    void enter({ projectCode, projectName: data.name }, path)
  }
  return (
    <DetailShell
      title={data?.name}
      loading={!data}
      error={error}
      retry={refetch}
      backTo={list}
      place={{ projectCode }}
      tags={data && <Tag icon={false}>{data.prjStatusName}</Tag>}
      facts={
        data
          ? [
              { label: '就绪度', value: `${data.readiness}%`, ...(data.stuck ? { tone: 'warning' as const } : { tone: 'fine' as const }) },
              { label: '所在地', value: data.areaName },
              { label: '总承包', value: data.contractorCorpName },
              { label: '在册', value: `${data.onSite} 人` },
              { label: '开通负责人', value: data.keeper },
            ]
          : []
      }
      actions={
        <>
          <Button icon={<ReloadOutlined spin={isFetching} />} onClick={() => void refetch()}>
            重新检测
          </Button>
          <Can call={changeOnboarding}>
            <Button onClick={() => setAssigning(whole)}>指派负责人</Button>
            <Button
              disabled={!data?.stuck}
              loading={send.running}
              onClick={() => void send.run({ params: { id: whole }, query: { projectCode }, body: { action: 'send' } })}
            >
              发送清单
            </Button>
          </Can>
          <Button type="primary" onClick={() => go('/main')}>
            进入项目
          </Button>
        </>
      }
    >
      {data && (
        <div className="onb-detail">
          <nav className="onb-steps zg-card" aria-label="开通步骤">
            {data.details.map((one, i) => (
              <StepLine key={one.key} number={i + 1} step={one} current={one.key === step?.key} onChoose={() => setChosen(one.key)} />
            ))}
            <p className="zg-2">
              {stuckSaid(data)}；检测于 {data.checkedTime.slice(11, 16)}
            </p>
          </nav>
          {step && <StepPanel projectCode={projectCode} step={step} open={go} onAssign={() => setAssigning(step.key)} />}
          <Parties parties={data.parties} />
          <Doors apps={data.apps} open={go} />
        </div>
      )}
      {assigning && data && <AssignDrawer row={data} step={assigning} onClose={() => setAssigning(undefined)} />}
    </DetailShell>
  )
}

const stepIcons: Record<StepState, React.ReactNode> = {
  done: <CheckCircleFilled className="tone-fine" />,
  open: <ClockCircleFilled className="tone-warning" />,
  broken: <WarningFilled className="tone-danger" />,
  off: <MinusCircleOutlined />,
}

function StepLine({ number, step, current, onChoose }: { number: number; step: Step; current: boolean; onChoose: () => void }) {
  return (
    <button type="button" className="zg-bare onb-step" aria-current={current ? 'step' : undefined} onClick={onChoose}>
      {stepIcons[step.state]}
      <span className="what">
        <b>
          {number}. {onboardingSteps[step.key]}
        </b>
        <span className="zg-2">
          {step.assigneeName ?? '未指派'}
          {step.dueDay && `，${step.dueDay.slice(5)} 前`}
        </span>
      </span>
      <span className="when">
        <Tag tone={stepTones[step.state]} icon={false}>
          {stepStates[step.state]}
        </Tag>
        <span className="zg-2">{step.since?.slice(0, 10)} 起</span>
      </span>
    </button>
  )
}

function StepPanel({
  projectCode,
  step,
  open,
  onAssign,
}: {
  projectCode: string
  step: Step
  open: (path: string) => void
  onAssign: () => void
}) {
  const act = useAct(changeOnboarding, { success: '已登记' })
  const at = { params: { id: step.key }, query: { projectCode } }
  const setOff = async () => {
    const reason = await askReason(`${onboardingSteps[step.key]}不适用`, '原因，如：本项目没有塔吊')
    if (reason) await act.run({ ...at, body: { action: 'off', reason, version: step.version } })
  }
  return (
    <Card
      className="onb-panel"
      title={onboardingSteps[step.key]}
      remark={step.notNeeded ? `不适用：${step.notNeeded}` : step.note || undefined}
      actions={
        <Can call={changeOnboarding}>
          <Button size="small" onClick={onAssign}>
            指派与期限
          </Button>
          {step.notNeeded !== null ? (
            <Button
              size="small"
              loading={act.running}
              onClick={() => void act.run({ ...at, body: { action: 'on', version: step.version } })}
            >
              恢复此步骤
            </Button>
          ) : (
            mayBeOff.includes(step.key) &&
            step.state !== 'off' && (
              <Button size="small" loading={act.running} onClick={() => void setOff()}>
                标记不适用
              </Button>
            )
          )}
        </Can>
      }
      flush
    >
      <ul className="onb-checks">
        {step.checks.map((check) => (
          <CheckLine key={check.title} check={check} open={open} />
        ))}
      </ul>
      {step.updateTime && (
        <p className="onb-last zg-2">
          {step.updateBy} 于 {step.updateTime.slice(0, 16)} 登记
        </p>
      )}
    </Card>
  )
}

function CheckLine({ check, open }: { check: OnboardingCheck; open: (path: string) => void }) {
  const menu = useMe((me) => me.menu)
  const { mend } = check
  return (
    <li className={check.ok ? 'ok' : 'not'}>
      {check.ok ? <CheckCircleFilled className="tone-fine" /> : <WarningFilled className="tone-warning" />}
      <div>
        <b>{check.title}</b>
        <span>{check.evidence}</span>
        {check.cause && <p>{check.cause}</p>}
      </div>
      {mend && findMenu(menu, mend.path) && (
        <Button size="small" onClick={() => open(mend.path)}>
          去{mend.title}
        </Button>
      )}
    </li>
  )
}

function Parties({ parties }: { parties: Detail['parties'] }) {
  return (
    <Card className="onb-parties" title="五方责任主体" flush>
      <table className="onb-table">
        <thead>
          <tr>
            <th scope="col">身份</th>
            <th scope="col">单位</th>
            <th scope="col">项目负责人</th>
            <th scope="col">电话</th>
          </tr>
        </thead>
        <tbody>
          {parties.map((one) => (
            <tr key={`${one.corpType}${one.corpName}`}>
              <th scope="row">{one.title}</th>
              <td className={one.corpName ? '' : 'tone-warning'}>{one.corpName ?? '未登记'}</td>
              <td>{one.manager ?? '--'}</td>
              <td>{one.phone ?? '--'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

const pagesOf = (nodes: readonly MenuNode[]): MenuNode[] => nodes.flatMap((node) => (node.path ? [node] : pagesOf(node.children)))

/** Links to the apps of the site: the first page of each that the user may open. */
function Doors({ apps, open }: { apps: Detail['apps']; open: (path: string) => void }) {
  const menu = useMe((me) => me.menu)
  const pages = pagesOf(menu)
  return (
    <Card className="onb-doors" title="已开通应用" remark={`${apps.length} 个`}>
      {apps.length === 0 && <p className="zg-2">没有您能进入的应用</p>}
      <ul>
        {apps.map((app) => {
          const door = pages.find((page) => page.code && appOfCode(page.code) === app.code)?.path
          return (
            <li key={app.code}>
              <button type="button" className="zg-bare" disabled={!door} onClick={() => door && open(door)}>
                <MenuDrawing name={app.icon} />
                {app.name}
              </button>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
