import { PlusOutlined } from '@ant-design/icons'
import {
  mayRun,
  type Progress,
  type ProgressMove,
  platformState,
  platformStates,
  progressMoves,
  progressSteps,
} from '@zhugong/contract/docking/codes'
import {
  createPlatform,
  type DockingPlatform,
  listCompare,
  listPlatforms,
  movePlatform,
  pausePlatform,
  runCompare,
  testPlatform,
} from '@zhugong/contract/docking/connections'
import { objectOf, profiles } from '@zhugong/contract/docking/standard'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { HistoryButton } from '#kit/history.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { notify } from '#kit/notify.ts'
import { PageDrawer, PageModal } from '#kit/overlay.tsx'
import { lineState } from './docking-words.ts'
import { PlatformDrawer } from './platform-drawer.tsx'
import type { TabProps } from './tab-props.ts'

/** Refusals are not part of the normal sequence of steps; shown only if the connection is in that state. */
const refusals: ReadonlySet<Progress> = new Set([progressMoves.papersRefused.to, progressMoves.testRefused.to])

/** Connections to the platforms above: access, progress of admission, and whose data is sent. */
export function PlatformsTab({ tabs }: TabProps) {
  const { data, error, refetch } = useCall(listPlatforms, { query: {} }, { quiet: true, staleMs: 0 })
  const [editing, setEditing] = useState<DockingPlatform | 'new'>()
  return (
    <PageShell
      actions={
        <>
          <Can call={createPlatform}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing('new')}>
              新增连接
            </Button>
          </Can>
          {tabs}
        </>
      }
    >
      <div className="dock-page">
        {error ? (
          <ErrorPanel error={error} retry={refetch} />
        ) : !data ? (
          <DetailSkeleton />
        ) : data.list.length === 0 ? (
          <Empty text="没有对接平台" hint="登记上级平台的接口地址与凭证，选择要上传的项目和对象" />
        ) : (
          data.list.map((one) => <PlatformCard key={one.id} platform={one} onEdit={() => setEditing(one)} />)
        )}
      </div>
      {editing && <PlatformDrawer platform={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />}
    </PageShell>
  )
}

function PlatformCard({ platform, onEdit }: { platform: DockingPlatform; onEdit: () => void }) {
  const { name } = useDicts('govLevel')
  const pause = useAct(pausePlatform, { success: false })
  const test = useAct(testPlatform, {
    success: false,
    onDone: ({ ok, text, tookMs }) => (ok ? notify.success(`${text}，用时 ${tookMs} 毫秒`) : notify.warning(`连接不通：${text}`)),
  })
  const [moving, setMoving] = useState<ProgressMove>()
  const [comparing, setComparing] = useState(false)
  const { tone, word } = lineState(platform)
  const params = { id: platform.id }
  const moves = (Object.keys(progressMoves) as ProgressMove[]).filter((move) =>
    (progressMoves[move].from as readonly string[]).includes(platform.progress),
  )
  const turn = () => {
    const input = { params, body: { paused: !platform.paused, version: platform.version } }
    if (platform.paused) return void pause.run(input)
    void pause.afterRequesting(
      { thing: `暂停上传到 ${platform.name}`, consequence: '数据继续排队，不再发出；恢复后按顺序补传。', verb: '暂停', keep: '继续上传' },
      input,
    )
  }
  return (
    <Card
      title={platform.name}
      remark={`${name('govLevel', platform.level)} · ${platform.areaName}`}
      actions={
        platform.own && (
          <>
            <Can call={testPlatform}>
              <Button loading={test.running} onClick={() => void test.run({ params })}>
                测试连接
              </Button>
            </Can>
            <Button onClick={() => setComparing(true)}>对账</Button>
            <HistoryButton kind="dockingPlatform" object={platform.id} name={platform.name} />
            <Can call={pausePlatform}>
              {platform.status === platformState.running && <Button onClick={turn}>{platform.paused ? '恢复上传' : '暂停上传'}</Button>}
              <Button type="primary" onClick={onEdit}>
                修改
              </Button>
            </Can>
          </>
        )
      }
    >
      {platform.status !== platformState.running && mayRun(platform.progress) && (
        <Notice tone="info">
          连接{platformStates[platform.status as keyof typeof platformStates] ?? '未启用'}，数据不会上传。
          {platform.own ? `点“修改”，把“状态”设为“${platformStates[platformState.running]}”即开始上传，并补传现有资料` : '由上级机构启用'}
        </Notice>
      )}
      {platform.downSince && (
        <Notice tone="danger">
          {platform.downReason ?? '对方无响应'}，自 {platform.downSince.slice(0, 16)} 起已暂停，每 5 分钟探测，下次{' '}
          {platform.probeAt?.slice(11, 16)}
        </Notice>
      )}
      <dl className="dock-facts">
        <dt>状态</dt>
        <dd>
          <Tag tone={tone}>{word}</Tag>{' '}
          {platform.status === platformState.running ? `待上传 ${platform.waiting}，失败 ${platform.failed}` : ''}
        </dd>
        <dt>数据标准</dt>
        <dd>
          {profiles[platform.profile].name}{' '}
          <Tag tone={platform.profileChecked ? 'fine' : 'warning'}>{platform.profileChecked ? '已与上级文档核对' : '待核对'}</Tag>
        </dd>
        <dt>接口地址</dt>
        <dd>{platform.endpoint ?? '由上级机构维护'}</dd>
        <dt>凭证</dt>
        <dd>{platform.hasSecret ? `${platform.appKey ?? ''}（密钥已设置，不再显示）` : '未设置'}</dd>
        <dt>上传项目</dt>
        <dd>{platform.projects.map((one) => one.name).join('、') || '未选择'}</dd>
        <dt>上传对象</dt>
        <dd>{platform.objects.map((type) => objectOf(type).name).join('、')}</dd>
      </dl>
      <ol className="dock-steps" aria-label="对接进度">
        {(Object.keys(progressSteps) as Progress[])
          .filter((step) => step === platform.progress || !refusals.has(step))
          .map((step) => (
            <li key={step} aria-current={step === platform.progress ? 'step' : undefined} data-done={step < platform.progress}>
              <span>{step}</span>
              {progressSteps[step]}
            </li>
          ))}
      </ol>
      {platform.own && moves.length > 0 && (
        <div className="dock-acts">
          {moves.map((move) => (
            <Can key={move} call={movePlatform}>
              <Button onClick={() => setMoving(move)}>{progressMoves[move].name}</Button>
            </Can>
          ))}
        </div>
      )}
      {platform.steps.length > 0 && (
        <ul className="dock-log">
          {platform.steps.map((step) => (
            <li key={`${step.at}${step.step}`}>
              {step.at.slice(0, 16)} {step.by} {step.step}
              {step.note && `：${step.note}`}
            </li>
          ))}
        </ul>
      )}
      {moving && <MoveDialog platform={platform} move={moving} onClose={() => setMoving(undefined)} />}
      {comparing && <CompareDrawer platform={platform} onClose={() => setComparing(false)} />}
    </Card>
  )
}

function MoveDialog({ platform, move, onClose }: { platform: DockingPlatform; move: ProgressMove; onClose: () => void }) {
  const [note, setNote] = useState('')
  const act = useAct(movePlatform, { success: ({ progress }) => `进度：${progressSteps[progress as Progress]}`, onDone: onClose })
  return (
    <PageModal
      open
      title={`${progressMoves[move].name}：${platform.name}`}
      okText={progressMoves[move].name}
      cancelText="取消"
      confirmLoading={act.running}
      onCancel={onClose}
      onOk={() => void act.run({ params: { id: platform.id }, body: { move, note, version: platform.version } })}
    >
      <label htmlFor="dock-note">说明（提交的资料或测试结果；不通过时填写原因）</label>
      <Input.TextArea id="dock-note" rows={4} maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} />
    </PageModal>
  )
}

/** Compares daily totals with those of the other platform and highlights differences. */
function CompareDrawer({ platform, onClose }: { platform: DockingPlatform; onClose: () => void }) {
  const params = { id: platform.id }
  const { data, error, refetch } = useCall(listCompare, { params, query: {} }, { quiet: true, staleMs: 0 })
  const run = useAct(runCompare, {
    success: ({ days, different }) => (different === 0 ? `近 ${days} 天全部一致` : `近 ${days} 天有 ${different} 处不一致`),
  })
  return (
    <PageDrawer
      open
      title={`对账：${platform.name}`}
      onClose={onClose}
      extra={
        <Can call={runCompare}>
          <Button type="primary" loading={run.running} onClick={() => void run.run({ params })}>
            立即对账
          </Button>
        </Can>
      }
    >
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <DetailSkeleton />
      ) : data.list.length === 0 ? (
        <Empty text="还没有对过账" hint="每天自动与上级核对前一天的条数，也可以立即对账" />
      ) : (
        <table className="dock-table">
          <thead>
            <tr>
              <th>日期</th>
              <th>对象</th>
              <th>我方</th>
              <th>对方</th>
              <th>我方删除</th>
              <th>对方删除</th>
              <th>差额</th>
            </tr>
          </thead>
          <tbody>
            {data.list.map((row) => (
              <tr key={`${row.day}${row.objectType}`}>
                <td>{row.day}</td>
                <td>{objectOf(row.objectType).name}</td>
                <td>{row.ours}</td>
                <td>{row.theirs}</td>
                <td>{row.oursRemoved}</td>
                <td>{row.theirsRemoved ?? <span title="对方不区分删除，条数已计入新增与修改">未区分</span>}</td>
                <td>
                  <Gap of={row} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </PageDrawer>
  )
}

function Gap({ of }: { of: { ours: number; theirs: number; oursRemoved: number; theirsRemoved: number | null } }) {
  const data = of.ours - of.theirs
  const removed = of.theirsRemoved === null ? 0 : of.oursRemoved - of.theirsRemoved
  if (data === 0 && removed === 0) return <Tag tone="fine">一致</Tag>
  return (
    <Tag tone="danger">
      {data !== 0 && data} {removed !== 0 && `删除 ${removed}`}
    </Tag>
  )
}
