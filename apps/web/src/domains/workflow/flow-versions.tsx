import type { FlowNode } from '@zhugong/contract/workflow/flow'
import { Card, Empty } from '#kit/feedback.tsx'
import { HistoryButton } from '#kit/history.tsx'
import type { Setting } from './flow-words.ts'

const words: Readonly<Record<string, string>> = { upper: '改为沿用上级', none: '改为免审' }

/** Earlier versions of a flow; one can be taken over as a new version. */
export function FlowVersions({ setting, onTake }: { setting: Setting; onTake: ((nodes: readonly FlowNode[]) => void) | undefined }) {
  return (
    <Card title="版本" actions={<HistoryButton kind="flow" object={setting.kind} name={`${setting.name}审批`} />}>
      {setting.versions.length === 0 && <Empty small text="还没有自己的版本" />}
      <ol className="flow-versions">
        {setting.versions.map((v) => (
          <li key={v.version}>
            <b>第 {v.version} 版</b> <span className="zg-2">{`${v.by} ${v.at.slice(0, 16)}`}</span>
            <div>{words[v.mode] ?? v.nodes.map((n) => n.name).join(' → ')}</div>
            {v.note && <div className="zg-2">{v.note}</div>}
            {onTake && v.mode === 'own' && (
              <button type="button" className="zg-bare zg-link" onClick={() => onTake(v.nodes)}>
                用这一版
              </button>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}
