import { evidenceNames, type GoodsRow, type GoodsStep, getGoods, goodsList, listGoods, zipGoods } from '@zhugong/contract/documents/goods'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { callBlob, saveBlob, showFailure, useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { DetailSkeleton, ErrorPanel, FigureStrip, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { paths } from './document-words.tsx'
import './documents.css'

const evidenceOptions = Object.entries(evidenceNames).map(([value, label]) => ({ value, label }))
const tones = { full: 'fine', missing: 'warning', banned: 'danger' } as const
const stepTones = { done: 'fine', waiting: 'warning', none: 'neutral' } as const
const stepWords: Readonly<Record<GoodsStep['state'], string>> = { done: '已有', waiting: '待办', none: '无' }

/** The evidence behind a batch: which certificate, which retest, where in the building? */
export default function GoodsPage() {
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const list = useListPage(goodsList, { scope, defaultSort: '-arriveTime' })
  const { data } = useCall(listGoods, { query: { ...scope, size: 1 } }, { quiet: true })
  const [opened, setOpened] = useState<GoodsRow>()
  const counts = data?.counts
  return (
    <ListShell
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '批次', value: thousands(counts?.all), unit: '批', href: paths.goods },
            {
              label: '不得使用',
              value: thousands(counts?.banned),
              unit: '批',
              tone: counts?.banned ? 'danger' : undefined,
              href: `${paths.goods}?evidence=banned`,
            },
            {
              label: '缺资料',
              value: thousands(counts?.missing),
              unit: '批',
              tone: counts?.missing ? 'warning' : undefined,
              href: `${paths.goods}?evidence=missing`,
            },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={useColumns().filter((column) => !(column.key === 'projectName' && oneProject))}
        unit="批"
        search={{ key: 'batchNo', placeholder: '批号、封样号或报告编号' }}
        onRow={setOpened}
        emptyHint="物资管理里登记进场的批次会出现在这里"
        actions={(row) => [{ label: '资料链', onClick: () => setOpened(row) }]}
      />
      {opened && <GoodsDrawer row={opened} onClose={() => setOpened(undefined)} />}
    </ListShell>
  )
}

function GoodsDrawer({ row, onClose }: { row: GoodsRow; onClose: () => void }) {
  const query = { projectCode: row.projectCode }
  const read = useCall(getGoods, { params: { id: row.id }, query }, { quiet: true })
  const d = read.data
  const pack = () => callBlob(zipGoods, { params: { id: row.id }, query }).then(saveBlob, showFailure)
  return (
    <PageDrawer open title={`${row.name} ${row.spec}`} onClose={onClose}>
      {read.error ? (
        <ErrorPanel error={read.error} retry={read.refetch} />
      ) : !d ? (
        <DetailSkeleton />
      ) : (
        <div className="zg-stack-12">
          {d.lacks && (
            <Notice tone={d.evidence === 'banned' ? 'danger' : 'warning'}>
              {d.evidence === 'banned' ? `不得使用：${d.lacks}` : d.lacks}
            </Notice>
          )}
          <Pairs
            items={[
              { label: '批号', value: d.batchNo ?? '--' },
              { label: '供应商', value: d.supplier },
              { label: '数量', value: `${thousands(d.quantity)} ${d.unitName}` },
              { label: '进场时间', value: d.arriveTime },
              { label: '合格证', value: <Files files={d.certs} />, wide: true },
            ]}
          />
          <ol className="doc-rounds">
            {d.steps.map((one) => (
              <li key={one.key}>
                <b>{one.name}</b> <Tag tone={stepTones[one.state]}>{stepWords[one.state]}</Tag>
                <p className="zg-2">{one.words}</p>
                {one.files.length > 0 && <Files files={one.files} />}
              </li>
            ))}
          </ol>
          <div className="zg-row zg-middle">
            <Button onClick={() => void pack()}>下载批次资料（zip）</Button>
            <Link to={d.link}>打开物资登记</Link>
          </div>
        </div>
      )}
    </PageDrawer>
  )
}

function Files({ files }: { files: readonly { url: string; name: string }[] }) {
  if (files.length === 0) return <span className="zg-2">没有文件</span>
  return (
    <ul className="doc-trail">
      {files.map((one) => (
        <li key={one.url}>
          <a href={one.url}>{one.name}</a>
        </li>
      ))}
    </ul>
  )
}

function useColumns(): ColumnOf<typeof goodsList>[] {
  const dicts = useDicts('materialCategory')
  return [
    { key: 'category', width: 110, filter: 'multi', options: dicts.options('materialCategory'), value: (r) => r.categoryName },
    { key: 'name', width: 150, locked: true, sort: true, filter: 'text', value: (r) => r.name },
    { key: 'spec', width: 130, filter: 'text', value: (r) => r.spec },
    { key: 'projectName', width: 160, value: (r) => r.projectName },
    { key: 'batchNo', width: 150, filter: 'text', value: (r) => r.batchNo ?? '--' },
    { key: 'supplier', width: 160, filter: 'text', value: (r) => r.supplier },
    { key: 'quantity', width: 110, align: 'right', value: (r) => `${thousands(r.quantity)} ${r.unitName}` },
    { key: 'arriveTime', width: 140, sort: true, filter: 'date-range', value: (r) => r.arriveTime.slice(0, 16) },
    { key: 'certCount', width: 80, align: 'right', value: (r) => (r.certCount > 0 ? `${r.certCount} 份` : <Tag tone="warning">缺</Tag>) },
    {
      key: 'retest',
      width: 120,
      keeps: true,
      value: (r) =>
        !r.needRetest ? (
          <span className="zg-2">不需复验</span>
        ) : r.retestPassed === null ? (
          <Tag tone="warning">未出报告</Tag>
        ) : (
          <Tag tone={r.retestPassed ? 'fine' : 'danger'}>{r.retestPassed ? '合格' : '不合格'}</Tag>
        ),
    },
    { key: 'usePart', width: 140, weak: true, value: (r) => r.usePart ?? '--' },
    {
      key: 'evidence',
      width: 110,
      keeps: true,
      filter: 'multi',
      options: evidenceOptions,
      value: (r) => (
        <Tag tone={tones[r.evidence]}>
          <span title={r.lacks ?? undefined}>{r.evidenceName}</span>
        </Tag>
      ),
    },
  ]
}
