import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { findTemplates } from '@zhugong/contract/rules/endpoints'
import { Button, Dropdown } from 'antd'
import { useCan } from '#kit/can.tsx'
import { RiskBadge, Tag } from '#kit/feedback.tsx'
import { age, time } from '#kit/format.ts'

export type Template = OutputFor<typeof findTemplates>['list'][number]

export function TemplateCard({
  one,
  onOpen,
  onApply,
  onEdit,
  onSave,
  onRemove,
}: {
  one: Template
  onOpen: () => void
  onApply: (sites: string[]) => void
  onEdit: () => void
  onSave: () => void
  onRemove: () => void
}) {
  const mayWrite = useCan('rules.template')
  const mayApply = useCan('rules.apply')
  const worst = Math.min(...one.triggers.flatMap((rule) => rule.levels.map((level) => level.level)))
  return (
    <article className="rule-card" aria-label={one.name}>
      <header>
        <button type="button" className="zg-bare rule-card-name" onClick={onOpen}>
          {one.name}
        </button>
        <span className="zg-2">第 {one.version} 版</span>
      </header>
      <div className="rule-card-tags">
        <Tag icon={false}>{one.familyName}</Tag>
        {Number.isFinite(worst) && <RiskBadge level={worst} />}
        {one.outdated > 0 && <Tag tone="warning">{one.outdated} 个项目有新版本</Tag>}
        {one.drifted > 0 && <Tag tone="danger">{one.drifted} 个项目有差异</Tag>}
      </div>
      <p className="rule-card-remark">{one.remark ?? one.triggers.map((rule) => rule.alarmLabel).join('、')}</p>
      <dl>
        <div>
          <dt>规则</dt>
          <dd>{one.triggers.length} 条</dd>
        </div>
        <div>
          <dt>使用项目</dt>
          <dd>{one.sites} 个</dd>
        </div>
        <div className="wide">
          <dt>依据</dt>
          <dd title={one.standard ?? ''}>{one.standard ?? '未填写'}</dd>
        </div>
      </dl>
      <footer>
        {mayApply && (
          <Button size="small" type="primary" ghost onClick={() => onApply([])}>
            应用到项目
          </Button>
        )}
        <Button size="small" onClick={onOpen}>
          查看
        </Button>
        <Dropdown
          menu={{
            items: [
              ...(mayWrite ? [{ key: 'edit', label: '编辑', onClick: onEdit }] : []),
              { key: 'save', label: '导出 JSON', onClick: onSave },
              ...(mayWrite ? [{ key: 'remove', label: '删除', danger: true, onClick: onRemove }] : []),
            ],
          }}
        >
          <Button size="small">更多</Button>
        </Dropdown>
        <span className="zg-2" title={time(one.updateTime)}>
          {age(one.updateTime)}更新
        </span>
      </footer>
    </article>
  )
}
