import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { type getImport, type ImportField, importIssueKinds, importTitle } from '@zhugong/contract/personnel/import'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Card, Empty } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'

type Issue = OutputFor<typeof getImport>['issues'][number]

/** Errors grouped by kind; a group with a known replacement is fixed in one step. */
export function IssuePanel({
  issues,
  editable,
  onReplace,
  onShow,
}: {
  issues: readonly Issue[]
  editable: boolean
  onReplace: (replace: { field: ImportField; from: string; to: string }) => void
  onShow: (kind: string) => void
}) {
  return (
    <Card title="错误与提醒" remark={issues.length ? `${issues.length} 类` : undefined}>
      {issues.length === 0 && <Empty small text="没有错误和提醒" />}
      {issues.map((issue) => (
        <OneKind
          key={`${issue.field} ${issue.kind} ${issue.level} ${issue.value ?? ''}`}
          issue={issue}
          editable={editable}
          onReplace={onReplace}
          onShow={onShow}
        />
      ))}
    </Card>
  )
}

function OneKind({
  issue,
  editable,
  onReplace,
  onShow,
}: {
  issue: Issue
  editable: boolean
  onReplace: (replace: { field: ImportField; from: string; to: string }) => void
  onShow: (kind: string) => void
}) {
  const [to, setTo] = useState(issue.suggest ?? '')
  const from = issue.value
  return (
    <div className="per-issue">
      <div>
        <button type="button" className="zg-bare zg-link" onClick={() => onShow(issue.kind)}>
          {importTitle(issue.field)} · {importIssueKinds[issue.kind]}
        </button>
        <div className={issue.level === 'error' ? 'tone-danger' : 'tone-warning'}>
          {issue.text}
          {from && `：${from}`}
        </div>
        {from && editable && (
          <div className="zg-row zg-gap-6 zg-above-4">
            <Input
              size="small"
              maxLength={300}
              aria-label={`${importTitle(issue.field)} ${from} 替换为`}
              placeholder="替换为"
              value={to}
              onChange={(event) => setTo(event.target.value)}
            />
            <Button size="small" disabled={to.trim() === ''} onClick={() => onReplace({ field: issue.field, from, to: to.trim() })}>
              全部替换
            </Button>
          </div>
        )}
      </div>
      <span className="zg-num">{thousands(issue.count)} 行</span>
    </div>
  )
}
