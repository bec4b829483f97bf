"""Who stands where: boards, comparisons, exports."""
