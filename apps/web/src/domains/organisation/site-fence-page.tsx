import { ProjectFence } from './project-fence.tsx'

/** Fence of the site. A much larger fence is not applied but proposed for approval. */
export default function SiteFencePage() {
  return <ProjectFence days={7} remark="缩小立即生效；面积增加超过 20% 或移动超过 200 米由企业或监管机构审定" />
}
