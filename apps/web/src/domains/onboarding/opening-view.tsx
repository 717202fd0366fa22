import { listLinks } from '@zhugong/contract/onboarding/links'
import {
  actOnOpening,
  getOpening,
  listOpenings,
  type Opening,
  type OpeningRow,
  type OpeningSheet,
  openingColumns,
  openingKinds,
  openingResult,
  openingRowStates,
  openingSheets,
  openingStateNames,
  openingStates,
} from '@zhugong/contract/onboarding/openings'
import { Button, Progress } from 'antd'
import { useState } from 'react'
import { callBlob, refresh, saveBlob, showFailure, useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { useGo } from '#kit/page.tsx'

const everyMs = 1_000
const tones = { faulty: 'danger', ready: 'neutral', done: 'fine', failed: 'danger' } as const

/** One workbook: errors of its rows by cell, then the progress of creation, then the links. */
export function OpeningView({ id }: { id: string }) {
  const [running, setRunning] = useState(false)
  const { data, error, refetch } = useCall(
    getOpening,
    { params: { id } },
    { quiet: true, staleMs: 0, keepPrevious: true, everyMs: running ? everyMs : undefined },
  )
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const isRunning = data.state === openingStates.running
  if (isRunning !== running) {
    setRunning(isRunning)
    // The lists beside this view also show the workbook.
    if (running) queueMicrotask(() => refresh(listOpenings, listLinks))
  }
  const sheets = (['groups', 'sites'] as const).filter((sheet) => data.rows.some((row) => row.sheet === sheet))
  return (
    <div className="onb-start">
      <Head opening={data} />
      {sheets.map((sheet) => (
        <Sheet key={sheet} sheet={sheet} rows={data.rows.filter((row) => row.sheet === sheet)} />
      ))}
    </div>
  )
}

function Head({ opening }: { opening: Opening }) {
  const go = useGo()
  const act = useAct(actOnOpening, { success: false })
  // The workbook no longer exists, so only the list is read again.
  const drop = useAct(actOnOpening, { success: false, refreshes: [listOpenings] })
  const [taking, setTaking] = useState(false)
  const { id, version, total, faulty, done, failed, state } = opening
  const open = total - faulty - done
  const isRunning = state === openingStates.running
  const isOver = state === openingStates.done || state === openingStates.partly
  const take = async () => {
    setTaking(true)
    try {
      saveBlob(await callBlob(openingResult, { params: { id }, body: { origin: window.location.origin } }))
    } catch (error) {
      showFailure(error)
    } finally {
      setTaking(false)
    }
  }
  return (
    <Card
      title={opening.fileName}
      remark={`${openingKinds[opening.kind]} · ${openingStateNames[state]}`}
      actions={
        <>
          {state === openingStates.checked && (
            <Button
              onClick={() =>
                void drop
                  .afterRequesting(
                    { thing: `放弃 ${opening.fileName}`, consequence: '还没有开通任何一行，可以重新上传。', verb: '放弃', keep: '保留' },
                    { params: { id }, body: { action: 'drop', version } },
                  )
                  .then((gone) => gone && go('/projectOpening'))
              }
            >
              放弃
            </Button>
          )}
          {isOver && (
            <Button type={failed ? 'default' : 'primary'} loading={taking} onClick={() => void take()}>
              下载结果与链接
            </Button>
          )}
          {!isRunning && open > 0 && (
            <Button type="primary" loading={act.running} onClick={() => void act.run({ params: { id }, body: { action: 'run', version } })}>
              {failed ? `重试 ${open} 行` : `开通 ${open} 行`}
            </Button>
          )}
        </>
      }
    >
      <Progress percent={Math.round((done / Math.max(1, total)) * 100)} format={() => `${done}/${total}`} />
      {faulty > 0 && (
        <Notice tone="warning">
          {faulty} 行有误，已在单元格标出；请在表格里改正后重新上传。无误的 {total - faulty} 行可以先开通。
        </Notice>
      )}
      {failed > 0 && <Notice tone="danger">{failed} 行没有开通成功，原因见各行；排除后可以重试。</Notice>}
      {isOver && failed === 0 && faulty === 0 && <Notice tone="fine">全部开通。请下载结果，把邀请链接发给各管理员。</Notice>}
    </Card>
  )
}

function Sheet({ sheet, rows }: { sheet: OpeningSheet; rows: readonly OpeningRow[] }) {
  const columns = openingColumns[sheet]
  return (
    <Card title={openingSheets[sheet]} remark={`${rows.length} 行`} flush>
      {/* A scrollable region must be focusable to scroll it by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className="onb-sheet" tabIndex={0} aria-label={`${openingSheets[sheet]}的各行`}>
        <table className="onb-table">
          <thead>
            <tr>
              <th scope="col">行</th>
              <th scope="col">结果</th>
              {columns.map(({ key, title }) => (
                <th scope="col" key={key}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.rowNo}>
                <td>{row.line}</td>
                <td>
                  <Tag tone={tones[row.state]}>{openingRowStates[row.state]}</Tag>
                  {row.message && <div className="tone-danger">{row.message}</div>}
                  {row.code && <div className="zg-2">{row.code}</div>}
                </td>
                {columns.map(({ key }) => {
                  const faults = row.issues.filter(({ field }) => field === key)
                  return (
                    <td key={key} className={faults.length ? 'fault' : ''}>
                      {row.cells[key] ?? (faults.length ? '' : '--')}
                      {faults.map(({ text }) => (
                        <div key={text} className="tone-danger">
                          {text}
                        </div>
                      ))}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  )
}
