import { PlusOutlined } from '@ant-design/icons'
import { getFlowSettings, saveFlowSetting } from '@zhugong/contract/workflow/endpoints'
import { type FlowNode, missingLocks } from '@zhugong/contract/workflow/flow'
import { Button, Input, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card } from '#kit/feedback.tsx'
import { Choices } from '#kit/inputs.tsx'
import { usePage } from '#kit/page.tsx'
import { type Difference, SettingsPage } from '#kit/settings-shell.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { FlowNodeCard } from './flow-node-card.tsx'
import { FlowTrial } from './flow-trial.tsx'
import { FlowVersions } from './flow-versions.tsx'
import { newNode, nodeWords, type Setting } from './flow-words.ts'

type Mode = Setting['mode']
const modes: Record<Mode, string> = { upper: '沿用上级', own: '自定义', none: '免审' }

interface Draft {
  mode: Mode
  nodes: readonly FlowNode[]
  note: string
  copyTo: string[]
}
const draftOf = (setting: Setting): Draft => ({ mode: setting.mode, nodes: setting.nodes, note: '', copyTo: [] })

/** Editor of one kind's flow. Saving makes a new version; running items keep the version they started with. */
export function FlowEditor({ setting, groupName, kinds }: { setting: Setting; groupName: string; kinds: ReactNode }) {
  const page = usePage()
  const [draft, setDraft] = useState(() => draftOf(setting))
  const save = useAct(saveFlowSetting, {
    success: ({ version, copied }) =>
      `已保存为第 ${version} 版${copied ? `，并复制到 ${copied} 个项目` : ''}；正在审批的事项仍按原流程办完`,
    refreshes: [getFlowSettings],
  })
  const lock = useLock(setting)
  const shown = draft.mode === 'own' ? draft.nodes : draft.mode === 'upper' ? setting.upper : []
  const differences = differencesOf(setting, draft)
  useUnsaved(differences.length > 0, page.cacheKey, page.entry.title)
  const put = (nodes: readonly FlowNode[]) => setDraft({ ...draft, nodes })
  const change = (at: number, part: Partial<FlowNode>) => put(draft.nodes.map((n, i) => (i === at ? { ...n, ...part } : n)))
  const insert = (at: number) => put(draft.nodes.toSpliced(at, 0, newNode(draft.nodes)))
  const move = (at: number, by: 1 | -1) => {
    const node = draft.nodes[at]
    if (node) put(draft.nodes.toSpliced(at, 1).toSpliced(at + by, 0, node))
  }
  const editable = draft.mode === 'own' && !lock
  return (
    <SettingsPage
      remark={`${groupName} · ${setting.name}`}
      last={{ by: setting.versions[0]?.by, at: setting.versions[0]?.at }}
      lock={lock}
      above={setting.from && draft.mode === 'upper' ? `现沿用${setting.from}的流程` : undefined}
      differences={differences}
      fault={faultOf(setting, draft) ?? Object.values(save.fieldErrors)[0]}
      saving={save.running}
      onSave={() =>
        save.run({
          body: {
            bizType: setting.kind,
            mode: draft.mode,
            nodes: draft.mode === 'own' ? [...draft.nodes] : [],
            note: draft.note,
            version: setting.version,
            copyTo: draft.copyTo,
          },
        })
      }
      onUndo={() => setDraft(draftOf(setting))}
    >
      <div className="flow-settings">
        {kinds}
        <div className="flow-column">
          <Segmented
            value={draft.mode}
            options={(Object.keys(modes) as Mode[])
              .filter((mode) => mode !== 'none' || setting.mayExempt)
              .map((value) => ({ value, label: modes[value] }))}
            onChange={(mode) =>
              setDraft({ ...draft, mode, nodes: mode === 'own' && draft.nodes.length === 0 ? setting.upper : draft.nodes })
            }
          />
          <ol className="flow-chain">
            {shown.map((node, at) => (
              <li key={node.key} className={node.beside ? 'beside' : ''}>
                <FlowNodeCard
                  node={node}
                  first={at === 0}
                  last={at === shown.length - 1}
                  setting={setting}
                  editable={editable}
                  onChange={(part) => change(at, part)}
                  onMove={(by) => move(at, by)}
                  onRemove={() => put(draft.nodes.toSpliced(at, 1))}
                  onInsert={() => insert(at + 1)}
                />
              </li>
            ))}
          </ol>
          {draft.mode === 'none' && <p className="zg-2">提交后立即通过，不经任何人审批</p>}
          {editable && shown.length === 0 && (
            <Button icon={<PlusOutlined />} onClick={() => insert(0)}>
              增加步骤
            </Button>
          )}
        </div>
        <div className="flow-column">
          <FlowTrial setting={setting} nodes={shown} />
          {!lock && (
            <Card title="保存为新版本">
              <div className="flow-column">
                <Input
                  maxLength={100}
                  aria-label="版本说明"
                  placeholder="为什么改，可不填"
                  value={draft.note}
                  onChange={(event) => setDraft({ ...draft, note: event.target.value })}
                />
                {setting.projects.length > 0 && (
                  <Choices
                    aria-label="复制到项目"
                    placeholder="同时复制到哪些项目"
                    value={draft.copyTo}
                    onChange={(copyTo) => setDraft({ ...draft, copyTo: copyTo ?? [] })}
                    options={setting.projects.map((p) => ({ value: p.projectCode, label: p.name }))}
                  />
                )}
              </div>
            </Card>
          )}
          <FlowVersions setting={setting} onTake={editable || !lock ? (nodes) => setDraft({ ...draft, mode: 'own', nodes }) : undefined} />
        </div>
      </div>
    </SettingsPage>
  )
}

function useLock(setting: Setting): string | undefined {
  const may = useCan(saveFlowSetting)
  if (!setting.maySet) return '此业务的审批由上级设置，此处只供查看'
  return may ? undefined : '没有审批设置的权限，此处只供查看'
}

function faultOf(setting: Setting, { mode, nodes }: Draft): string | undefined {
  if (mode !== 'own') return undefined
  if (nodes.length === 0) return '请至少设置一个步骤'
  const unnamed = nodes.findIndex((n) => n.name.trim() === '')
  if (unnamed >= 0) return `第 ${unnamed + 1} 个步骤没有名称`
  const gone = missingLocks(nodes, setting.upper)
  return gone.length > 0 ? `不能去掉上级锁定的步骤：${gone.map((n) => n.name).join('、')}` : undefined
}

function differencesOf(setting: Setting, draft: Draft): Difference[] {
  const before = new Map(setting.nodes.map((n) => [n.key, nodeWords(n, setting)]))
  const after = new Map(
    (draft.mode === 'own' ? draft.nodes : draft.mode === 'upper' ? setting.upper : []).map((n) => [n.key, nodeWords(n, setting)]),
  )
  const names = new Map([...setting.nodes, ...draft.nodes].map((n) => [n.key, n.name]))
  const order = (of: ReadonlyMap<string, string>) => [...of.keys()].map((key) => names.get(key) ?? key).join(' → ')
  return [
    ...(draft.mode === setting.mode ? [] : [{ label: '方式', before: modes[setting.mode], after: modes[draft.mode] }]),
    ...[...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
      const [b, a] = [before.get(key) ?? '无此步骤', after.get(key) ?? '去掉']
      return b === a ? [] : [{ label: names.get(key) ?? key, before: b, after: a }]
    }),
    ...(order(before) === order(after) ? [] : [{ label: '顺序', before: order(before), after: order(after) }]),
    ...(draft.copyTo.length > 0 ? [{ label: '复制', before: '无', after: `${draft.copyTo.length} 个项目` }] : []),
  ]
}
