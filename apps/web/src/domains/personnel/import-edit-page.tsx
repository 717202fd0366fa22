import type { InputFor, OutputFor } from '@zhugong/contract/kit/endpoint'
import { changeImport, getImport, importIssueKinds, importRowStates, importState } from '@zhugong/contract/personnel/import'
import { Button, Checkbox, Pagination, Progress, Select, Steps, Upload } from 'antd'
import { useState } from 'react'
import { type Act, useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DetailSkeleton, Empty, ErrorPanel, FigureStrip, Notice } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { useGo, usePageParam, usePageTitle } from '#kit/page.tsx'
import { type CellChange, ImportGrid } from './import-grid.tsx'
import { IssuePanel } from './import-issues.tsx'
import { useResultFile } from './import-result.ts'
import { useBringing } from './import-start.tsx'
import { hasResult, importPollMs, isMendable, isMoving } from './import-words.ts'
import './personnel.css'
import './import.css'

type Read = OutputFor<typeof getImport>
type ActOf = Act<InputFor<typeof changeImport>, OutputFor<typeof changeImport>>
const steps = ['校验', '修改', '确认', '结果']
const stepOf = (state: Read['state']): number => ({ '0': 0, '1': 0, '2': 1, '3': 2, '4': 3, '5': 3, '6': 3, '7': 3 })[state]
const optionsOf = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }))
const pageSize = 50

/** Rows of an import with their errors, to be corrected here instead of in the workbook. */
export default function ImportEditPage() {
  const id = usePageParam('id')
  const [page, setPage] = useState(1)
  const [filters, setFilters] = useState<{ rowState?: string; issue?: string; team?: string }>({})
  const [withEmpty, setWithEmpty] = useState(false)
  const [moving, setMoving] = useState(true)
  const [taken, setTaken] = useState<CellChange[][]>([])
  const read = useCall(
    getImport,
    { params: { id }, query: { page, size: pageSize, ...filters } },
    { quiet: true, keepPrevious: true, enabled: id !== '', everyMs: moving ? importPollMs : undefined },
  )
  const act = useAct(changeImport, { success: false, refreshes: [getImport] })
  usePageTitle(read.data?.fileName)
  const data = read.data
  const isNowMoving = data ? isMoving(data.state) : true
  if (data && isNowMoving !== moving) setMoving(isNowMoving)
  if (!id)
    return (
      <PageShell>
        <Empty text="没有选择导入" hint="从人员导入的记录里打开" />
      </PageShell>
    )
  if (read.error)
    return (
      <PageShell>
        <ErrorPanel error={read.error} retry={read.refetch} />
      </PageShell>
    )
  if (!data) return <DetailSkeleton />

  const editable = isMendable(data.state) && !data.cancelled
  const write = async (changes: CellChange[], isUndo = false) => {
    const cells = changes.map(({ before: _, ...cell }) => cell)
    const done = await act.run({ params: { id }, body: { cells } })
    if (done && !isUndo) setTaken((before) => [...before, changes])
    return done !== undefined
  }
  const undo = async () => {
    const last = taken.at(-1)
    if (!last) return
    const versions = new Map(data.list.map((row) => [row.row, row.version]))
    const back = last.map((one) => ({ ...one, value: one.before, before: one.value, version: versions.get(one.row) ?? one.version + 1 }))
    if (await write(back, true)) setTaken((before) => before.slice(0, -1))
  }
  const filter = (change: typeof filters) => {
    setFilters((before) => ({ ...before, ...change }))
    setPage(1)
  }
  return (
    <PageShell
      title={data.fileName}
      remark={`${data.kindName}${data.projectName ? ` · ${data.projectName}` : ''} · ${data.createBy} ${data.createTime}`}
      actions={<Acts data={data} act={act} editable={editable} />}
    >
      <Steps size="small" current={stepOf(data.state)} items={steps.map((title) => ({ title }))} className="zg-below-12" />
      <State data={data} />
      <Counts data={data} />
      <div className="per-import">
        <section className="zg-card">
          <div className="zg-card-head">
            <h2>人员</h2>
            <div className="right">
              <Select
                allowClear
                aria-label="行状态"
                placeholder="行状态"
                className="zg-w-112"
                value={filters.rowState}
                options={optionsOf(importRowStates)}
                onChange={(rowState?: string) => filter({ rowState })}
              />
              <Select
                allowClear
                aria-label="错误类型"
                placeholder="错误类型"
                className="zg-w-140"
                value={filters.issue}
                options={optionsOf(importIssueKinds)}
                onChange={(issue?: string) => filter({ issue })}
              />
              {data.teams.length > 0 && (
                <Select
                  allowClear
                  showSearch
                  aria-label="班组"
                  placeholder="班组"
                  className="zg-w-140"
                  value={filters.team}
                  options={data.teams.map((team) => ({ value: team, label: team }))}
                  onChange={(team?: string) => filter({ team })}
                />
              )}
              <Checkbox checked={withEmpty} onChange={(event) => setWithEmpty(event.target.checked)}>
                空列
              </Checkbox>
              <Button disabled={taken.length === 0 || act.running} onClick={() => void undo()}>
                撤销
              </Button>
            </div>
          </div>
          {data.list.length === 0 ? (
            <Empty small text="没有这样的行" />
          ) : (
            <ImportGrid
              rows={data.list}
              withStay={data.projectCode !== null}
              withEmpty={withEmpty}
              editable={editable && !act.running}
              onChange={(changes) => void write(changes)}
            />
          )}
          <Pagination
            size="small"
            align="end"
            className="per-import-pages"
            current={page}
            pageSize={pageSize}
            total={data.total}
            showSizeChanger={false}
            showTotal={(total) => `${thousands(total)} 行`}
            onChange={setPage}
          />
        </section>
        <IssuePanel
          issues={data.issues}
          editable={editable && !act.running}
          onReplace={(replace) => void act.run({ params: { id }, body: { action: 'replace', replace } })}
          onShow={(issue) => filter({ issue })}
        />
      </div>
    </PageShell>
  )
}

function Counts({ data: { counts } }: { data: Read }) {
  return (
    <FigureStrip
      items={[
        { label: '全部', value: thousands(counts.all), unit: '行' },
        { label: '可导入', value: thousands(counts.importable), unit: '行' },
        { label: '有错误', value: thousands(counts.error), unit: '行', tone: counts.error ? 'danger' : undefined },
        { label: '有提醒', value: thousands(counts.warning), unit: '行', tone: counts.warning ? 'warning' : undefined },
        { label: '重复', value: thousands(counts.duplicate), unit: '行' },
        { label: '已导入', value: thousands(counts.done), unit: '人' },
        { label: '失败或跳过', value: thousands(counts.failed + counts.skipped), unit: '行' },
      ]}
    />
  )
}

/** Progress of the import, and remarks about the file. */
function State({ data }: { data: Read }) {
  const { counts } = data
  const percent = data.total ? Math.round(((counts.done + counts.failed + counts.skipped) / Math.max(1, counts.all)) * 100) : 0
  return (
    <>
      {(data.state === importState.waiting || data.state === importState.checking) && (
        <Notice tone="info">正在逐行校验，可以离开本页，稍后回来。</Notice>
      )}
      {data.state === importState.running && (
        <Notice tone="info">
          正在后台登记，可以离开本页；已登记 {thousands(counts.done)} 人
          <Progress percent={percent} size="small" />
        </Notice>
      )}
      {data.state === importState.failed && <Notice tone="danger">{data.message || '导入没有完成'}</Notice>}
      {data.unknownColumns.length > 0 && <Notice tone="warning">不认识的列没有读取：{data.unknownColumns.join('、')}</Notice>}
      {data.remarks.map((remark) => (
        <Notice key={remark} tone="warning">
          {remark}
        </Notice>
      ))}
      {data.black.length > 0 && (
        <Notice tone="danger">
          黑名单命中 {data.black.length} 人：{data.black.join('、')}
        </Notice>
      )}
    </>
  )
}

function Acts({ data, act, editable }: { data: Read; act: ActOf; editable: boolean }) {
  const go = useGo()
  const bring = useBringing({ instead: true })
  const result = useResultFile()
  const [isRequesting, setIsRequesting] = useState(false)
  const run = (action: 'resume' | 'cancel') => act.run({ params: { id: data.id }, body: { action } })
  const isOpen = data.state === importState.faulty || data.state === importState.ready
  return (
    <>
      {isOpen && data.counts.done === 0 && (
        <>
          <Upload
            accept=".xlsx"
            showUploadList={false}
            beforeUpload={(file) => {
              void bring.file(file, { importId: data.id })
              return false
            }}
          >
            <Button loading={bring.running}>替换文件</Button>
          </Upload>
          <Button
            danger
            onClick={() =>
              void act
                .afterRequesting(
                  {
                    thing: `作废 ${data.fileName}`,
                    consequence: '还没有登记任何人；文件里的内容立即清除，不能恢复。',
                    verb: '作废',
                    keep: '保留',
                  },
                  { params: { id: data.id }, body: { action: 'cancel' } },
                )
                .then((done) => done && go('/personImport'))
            }
          >
            作废
          </Button>
        </>
      )}
      {hasResult(data.state) && <Button onClick={() => result(data.id)}>下载结果表</Button>}
      {data.projectCode && data.counts.done > 0 && hasResult(data.state) && (
        <Button onClick={() => go('/personList', { importId: data.id })}>查看导入的人员</Button>
      )}
      {(data.state === importState.partly || data.state === importState.failed) && editable && (
        <Button type="primary" onClick={() => void run('resume')}>
          {data.state === importState.failed ? '继续导入' : '重新校验未导入的行'}
        </Button>
      )}
      {isOpen && data.own && (
        <Can call={changeImport}>
          <Button type="primary" disabled={data.counts.importable === 0} onClick={() => setIsRequesting(true)}>
            确认导入
          </Button>
        </Can>
      )}
      {isRequesting && <Confirm data={data} act={act} onClose={() => setIsRequesting(false)} />}
    </>
  )
}

/** Shows the numbers of rows before the import is confirmed. */
function Confirm({ data, act, onClose }: { data: Read; act: ActOf; onClose: () => void }) {
  const { counts, black } = data
  const leaders = data.issues.filter((issue) => issue.kind === 'leader').map((issue) => issue.text)
  const wrong = counts.error + counts.duplicate
  const [skip, setSkip] = useState(false)
  const go = async () => {
    if (await act.run({ params: { id: data.id }, body: { action: 'confirm', skipErrors: skip } })) onClose()
  }
  return (
    <PageModal
      open
      width={440}
      title="确认导入"
      onCancel={onClose}
      okText={`导入 ${thousands(counts.importable)} 人`}
      okButtonProps={{ loading: act.running, disabled: wrong > 0 && !skip }}
      onOk={() => void go()}
    >
      <p>
        新建档案 <b>{thousands(counts.willCreate)}</b> 人，已有档案并入 <b>{thousands(counts.willJoin)}</b> 人，跳过{' '}
        <b>{thousands(wrong)}</b> 行。
      </p>
      {black.length > 0 && (
        <Notice tone="danger">
          其中黑名单 {black.length} 人：{black.join('、')}
        </Notice>
      )}
      {leaders.length > 0 && <Notice tone="warning">{leaders.join('；')}</Notice>}
      <p className="zg-2">人员以“预登记”进入，补齐照片、合同等条件后转正式。登记在后台进行，可以离开本页。</p>
      {wrong > 0 && (
        <Checkbox checked={skip} onChange={(event) => setSkip(event.target.checked)}>
          跳过 {thousands(wrong)} 行有错误或重复的
        </Checkbox>
      )}
    </PageModal>
  )
}
