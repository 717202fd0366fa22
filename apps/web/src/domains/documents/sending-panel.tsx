import { Button, Checkbox, Progress } from 'antd'
import { useState } from 'react'
import { PageModal } from '#kit/overlay.tsx'
import type { Line, Question } from './use-sending.ts'
import './documents.css'

const words: Readonly<Record<Line['state'], string>> = {
  waiting: '等待',
  reading: '读取文件',
  sending: '上传中，断网自动续传',
  saving: '保存中',
  done: '已上传',
  failed: '没有传成',
}

export function SendingPanel({ lines, onClear }: { lines: readonly Line[]; onClear: () => void }) {
  if (lines.length === 0) return null
  const done = lines.filter((one) => one.state === 'done').length
  return (
    <section className="doc-sending" aria-label="上传进度">
      <header className="zg-row zg-middle">
        <b>
          上传 {done} / {lines.length}
        </b>
        <button type="button" className="zg-bare zg-link zg-end" onClick={onClear}>
          清除已完成
        </button>
      </header>
      <ul>
        {lines.map((one) => (
          <li key={one.key}>
            <span title={one.name} className="zg-line">
              {one.name}
            </span>
            <Progress
              percent={Math.round(one.share * 100)}
              size="small"
              status={one.state === 'failed' ? 'exception' : one.state === 'done' ? 'success' : 'active'}
              aria-label={`${one.name} 上传进度`}
            />
            <small className={one.state === 'failed' ? 'tone-danger' : 'zg-2'}>{one.why ?? words[one.state]}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A name that is taken: another version, both, or neither. */
export function TakenDialog({ question: { name, message, taken, answer } }: { question: Question }) {
  const [all, setAll] = useState(false)
  return (
    <PageModal
      open
      title={`“${name}”已存在`}
      onCancel={() => answer('skip', all)}
      footer={
        <div className="zg-row zg-middle">
          <Checkbox checked={all} onChange={(event) => setAll(event.target.checked)}>
            其余同名文件也这样
          </Checkbox>
          <Button className="zg-end" onClick={() => answer('skip', all)}>
            跳过
          </Button>
          <Button onClick={() => answer('both', all)}>保留两份</Button>
          {taken.mayReplace && (
            <Button type="primary" onClick={() => answer('version', all)}>
              存为新版本
            </Button>
          )}
        </div>
      }
    >
      <p>{message}。</p>
      <p className="zg-2">{taken.mayReplace ? '存为新版本不会丢失旧版本，随时可以设回当前版本。' : '您不能更新这一份，可以保留两份。'}</p>
    </PageModal>
  )
}
