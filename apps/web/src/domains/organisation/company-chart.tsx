import { MinusSquareOutlined, PlusSquareOutlined } from '@ant-design/icons'
import { isOn } from '@zhugong/contract/kit/enable'
import { type GroupNode, groupTree } from '@zhugong/contract/organisation/groups'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'
import './organisation.css'

/** Above this number of projects the companies start collapsed. */
const foldedFrom = 60

/** General contractors with their projects, as far as the user may see them. */
export function CompanyChart({ word }: { word: string }) {
  const { data, error, refetch } = useCall(groupTree, { query: { kind: 'corporation' } }, { quiet: true })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const projects = data.tree.reduce((sum, company) => sum + company.children.length, 0)
  return (
    <Card title="企业体系" remark={`${data.tree.length} 家总承包企业，${projects} 个项目`} className="org-chart-card">
      {data.tree.length === 0 ? (
        <Empty />
      ) : (
        <ul className="org-chart">
          {data.tree.map((company) => (
            <Company key={company.key} company={company} word={word} folded={projects > foldedFrom} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Company({ company, word, folded }: { company: GroupNode; word: string; folded: boolean }) {
  const [open, setOpen] = useState(!folded)
  const meant = (node: GroupNode) => word !== '' && node.title.includes(word)
  // Expand companies that contain a search result.
  const shown = open || company.children.some(meant)
  return (
    <li>
      <div className="org-chart-node">
        <Link
          className={`org-box ${meant(company) ? 'found' : ''} ${isOn(company.enable) ? '' : 'off'}`}
          to={hrefOf('/companySystem/info/basic', { corpCode: company.code })}
        >
          <b>{company.title}</b>
          <span className="zg-2">总承包 {company.children.length} 个项目</span>
        </Link>
        <button
          type="button"
          className="zg-bare"
          aria-expanded={shown}
          aria-label={`${shown ? '收起' : '展开'}${company.title}的项目`}
          onClick={() => setOpen(!shown)}
        >
          {shown ? <MinusSquareOutlined /> : <PlusSquareOutlined />}
        </button>
      </div>
      {shown && (
        <ul>
          {company.children.map((project) => (
            <li key={project.key}>
              <div className="org-chart-node">
                <Link
                  className={`org-box ${meant(project) ? 'found' : ''} ${isOn(project.enable) ? '' : 'off'}`}
                  to={hrefOf('/gov/project', { projectCode: project.code })}
                >
                  <b>{project.title}</b>
                  {!isOn(project.enable) && <Tag>已停用</Tag>}
                </Link>
              </div>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
