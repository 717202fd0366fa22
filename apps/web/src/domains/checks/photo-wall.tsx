import { PictureOutlined } from '@ant-design/icons'
import type { PatrolRow } from '@zhugong/contract/checks/patrol'
import { Button } from 'antd'
import { type ReactNode, useContext } from 'react'
import { Link } from 'react-router'
import { Empty, ErrorPanel, TableSkeleton, Tag } from '#kit/feedback.tsx'
import type { ListPage } from '#kit/list.ts'
import { ListContext } from '#kit/list-context.ts'
import { hrefOf } from '#kit/page.tsx'
import { Pager } from '#kit/pager.tsx'
import { smallOf } from '#kit/small-picture.ts'
import { LevelTag, paths, StateTag } from './security-words.tsx'
import './checks.css'

type Listed = Pick<
  ListPage<PatrolRow>,
  'rows' | 'loading' | 'error' | 'refresh' | 'page' | 'size' | 'total' | 'setPage' | 'setSize' | 'filters' | 'tabs' | 'clearFilters'
>

/** The rows of the list as photographs, with the same filters and pages. */
export function PhotoWall({ list, toolbar }: { list: Listed; toolbar: ReactNode }) {
  const { actions } = useContext(ListContext)
  return (
    <div className="zg-table">
      <div className="zg-toolbar">
        {actions}
        {toolbar}
        {Object.keys(list.filters).some((key) => !list.tabs.includes(key)) && <Button onClick={list.clearFilters}>清空筛选</Button>}
      </div>
      <section className="zg-table-body check-wall-box" aria-label="照片墙">
        {list.loading ? (
          <TableSkeleton columns={4} />
        ) : list.error ? (
          <ErrorPanel error={list.error} retry={list.refresh} />
        ) : list.rows.length === 0 ? (
          <Empty hint="没有符合条件的检查" />
        ) : (
          <ul className="check-wall">
            {list.rows.map((row) => (
              <li key={row.id}>
                <Card row={row} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <div className="zg-table-footer">
        <Pager list={list} unit="次" />
      </div>
    </div>
  )
}

function Card({ row }: { row: PatrolRow }) {
  return (
    <Link className="check-photo" to={hrefOf(paths.detail, { id: row.id })}>
      {row.photo ? <img src={smallOf(row.photo)} alt={row.problem ?? row.part} loading="lazy" /> : <PictureOutlined className="none" />}
      {row.photoCount > 1 && <span className="count">{row.photoCount} 张</span>}
      <strong>{row.problem ?? '未发现问题'}</strong>
      <span className="zg-2">
        {row.part} · {row.checkTime.slice(5, 16)}
      </span>
      <span className="zg-row zg-gap-6 zg-wrap">
        <StateTag row={row} />
        <LevelTag row={row} />
        {row.overdueDays > 0 && <Tag tone="danger">逾期 {row.overdueDays} 天</Tag>}
      </span>
    </Link>
  )
}
