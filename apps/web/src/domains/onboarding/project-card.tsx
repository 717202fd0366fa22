import { EnvironmentOutlined, TeamOutlined, UserOutlined } from '@ant-design/icons'
import type { ReadinessRow } from '@zhugong/contract/onboarding/endpoints'
import { Button } from 'antd'
import { Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { MenuDrawing } from '#kit/menu-icon.tsx'
import { smallOf } from '#kit/small-picture.ts'
import { Star } from '#kit/star.tsx'
import { CallButton } from './call-button.tsx'
import { ReadinessBar } from './readiness-bar.tsx'
import type { RowActs } from './row-acts.tsx'
import { stuckSaid } from './step-words.ts'

/** Card of one site: facts, people, onboarding progress, and a link to enter it. */
export function ProjectCard({ row, acts }: { row: ReadinessRow; acts: RowActs }) {
  return (
    <li className="onb-card zg-card">
      <div className="cover" aria-hidden="true">
        {row.cover ? <img src={smallOf(row.cover)} alt="" loading="lazy" /> : <MenuDrawing name="building" />}
      </div>
      <div className="text">
        <h2>
          <button type="button" className="zg-bare zg-link" onClick={() => acts.open(row)}>
            {row.name}
          </button>
          <Star project={row} />
        </h2>
        <p className="zg-2">
          <EnvironmentOutlined /> {row.areaName} · {row.contractorCorpName ?? '未登记总承包'}
        </p>
        <p className="zg-2">
          <UserOutlined /> {row.linkMan} <CallButton row={row} />　<TeamOutlined /> 在场 {thousands(row.onSite)} 人
        </p>
      </div>
      <ReadinessBar readiness={row.readiness} steps={row.steps} />
      <div className="foot">
        <Tag icon={false}>{row.prjStatusName}</Tag>
        <span className={row.stuck ? 'tone-warning' : 'tone-fine'}>{stuckSaid(row)}</span>
        <span className="acts">
          <Button size="small" onClick={() => acts.details(row)}>
            详情
          </Button>
          <Button size="small" type="primary" ghost onClick={() => acts.open(row)}>
            进入
          </Button>
        </span>
      </div>
    </li>
  )
}
