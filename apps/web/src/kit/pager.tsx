import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Input, Pagination, Select } from 'antd'
import { useState } from 'react'
import { thousands } from './format.ts'
import type { ListPage } from './list.ts'
import { pageSizes } from './list-state.ts'

/** Total, sizes, previous, pages, next, jumper: an order that antd's own pager does not allow. */
export function Pager({
  list,
  unit = '条',
  compact = false,
}: {
  list: Pick<ListPage<unknown>, 'page' | 'size' | 'total' | 'setPage' | 'setSize'> & Partial<Pick<ListPage<unknown>, 'loading' | 'error'>>
  unit?: string
  /** Pages only: beside the actions for selected rows there is no space for the rest. */
  compact?: boolean
}) {
  const [jump, setJump] = useState('')
  const last = Math.max(1, Math.ceil(list.total / list.size))
  const sizes = pageSizes.some((size) => size === list.size) ? pageSizes : [...pageSizes, list.size].sort((a, b) => a - b)
  const go = () => {
    if (jump) list.setPage(Math.min(last, Math.max(1, Number(jump))))
    setJump('')
  }
  return (
    <nav className="pager" aria-label="分页">
      <span className="zg-nowrap">
        共 {list.loading || list.error ? '--' : thousands(list.total)} {unit}
      </span>
      {!compact && (
        <Select
          className="zg-w-96"
          value={list.size}
          aria-label="每页条数"
          options={sizes.map((size) => ({ value: size, label: `${size} 条/页` }))}
          onChange={(size) => list.setSize(size)}
        />
      )}
      <Pagination
        current={list.page}
        pageSize={list.size}
        total={list.total}
        showSizeChanger={false}
        showLessItems
        onChange={(at) => list.setPage(at)}
        itemRender={(_, type, element) =>
          type === 'prev' ? (
            <button type="button" className="ant-pagination-item-link" aria-label="上一页">
              <LeftOutlined />
            </button>
          ) : type === 'next' ? (
            <button type="button" className="ant-pagination-item-link" aria-label="下一页">
              <RightOutlined />
            </button>
          ) : (
            element
          )
        }
      />
      {!compact && (
        <span className="zg-nowrap">
          跳至{' '}
          <Input
            inputMode="numeric"
            style={{ width: 48 }}
            maxLength={7}
            value={jump}
            onChange={(event) => setJump(event.target.value.replace(/\D/g, ''))}
            onPressEnter={go}
            onBlur={go}
            aria-label="跳至页码"
          />{' '}
          页
        </span>
      )}
    </nav>
  )
}
